import type { FeedState, Provider } from "@proj/deprecation-feed";
import { emptyState } from "../../src/collection/feed-state.ts";
import { updateNotices } from "../../src/collection/update-notices.ts";
import { testProvider } from "../page-site.ts";
import { row } from "../rows.ts";

export const provider: Provider = testProvider({ url: "http://unused.example" });

/** Ids and texts of every kind that a page might have, a model that disappeared, and a date that moved. */
export function hostileState(): FeedState {
  const rows = [
    row("plain-1", { shutdown_date: "2027-01-31", replacement_models: ["plain-2"] }),
    row("vendor/model:v1.0@002", { deprecation_date: "2026-05-01", regions: ["us-1", "eu-1"] }),
    row("<b>&\"'bold</b>", {
      shutdown_text: "]]> not before <May> & “June”\u0000\u001b\ufffe\ud800 🦊",
      anchor: 'a "b" <c>',
    }),
    row("comma,semi;colon\\back", {
      shutdown_date: "2026-12-01",
      replacement_models: ["a".repeat(200)],
    }),
    row("regional", {
      shutdown_date: "2027-02-01",
      deprecation_date: "2026-01-01",
      regions: ["us-1"],
    }),
    row("regional", { shutdown_date: "2027-03-01", regions: ["eu-1"] }),
    row("moved", { shutdown_date: "2027-01-01" }),
    row("gone", { shutdown_date: "2026-11-01", aliases: ["gone-latest"] }),
  ];
  const first = updateNotices(provider, [], rows, at("2026-10-01", ""));
  const later = rows
    .filter(({ model_id }) => model_id !== "gone")
    .map((found) =>
      found.model_id === "moved" ? row("moved", { shutdown_date: "2027-06-01" }) : found,
    );
  const second = updateNotices(provider, first.notices, later, at("2026-10-02", "2026-10-01"));
  return { ...emptyState, catalogue: second };
}

const at = (day: string, lastSeen: string) => ({ now: `${day}T02:00:00.000Z`, lastSeen });
