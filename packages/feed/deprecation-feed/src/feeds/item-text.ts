import type { Change, KnownNotice } from "../collection/catalogue.ts";
import type { Notice } from "../notice/notice.ts";

/** A notice as text. It gives dates instead of "in three days", because it may be read at any time. */
export function noticeText(notice: KnownNotice): string {
  const { model_id, provider, last_observed, announcement_date } = notice;
  const lines = [
    `${provider}: ${model_id}`,
    `Status: ${notice.status}`,
    `Shutdown: ${shutdownWords(notice)}`,
    line("Deprecated", notice.deprecation_date),
    line("Announced", announcement_date),
    line("Replacement", notice.replacement_models.join(", ")),
    line("Also called", notice.aliases.join(", ")),
    line("Regions", notice.regions.join(", ")),
    ...regionLines(notice),
    last_observed === "" ? "" : `No longer on the provider's page; last seen on ${last_observed}.`,
    line("From the page", notice.source_text),
  ];
  return lines.filter((text) => text !== "").join("\n");
}

export function shutdownWords(notice: Notice): string {
  const { shutdown_date, earliest_shutdown_date, shutdown_text } = notice;
  if (shutdown_date !== "") return shutdown_date;
  if (earliest_shutdown_date !== "") return `not before ${earliest_shutdown_date}`;
  return shutdown_text === "" ? "no date given" : `no date given ("${shutdown_text}")`;
}

/** Only if the regions have different dates. */
function regionLines({ rows }: KnownNotice): readonly string[] {
  const regional = rows.filter(({ regions }) => regions.length > 0);
  const dates = regional.map(
    (row) => `deprecated ${row.deprecation_date || "–"}, shutdown ${shutdownWords(row)}`,
  );
  if (new Set(dates).size < 2) return [];
  return regional.map(({ regions }, index) => `In ${regions.join(", ")}: ${dates[index]}`);
}

const line = (label: string, text: string): string => (text === "" ? "" : `${label}: ${text}`);

const fieldNames: Readonly<Record<Change["field"], string>> = {
  announcement_date: "announcement date",
  deprecation_date: "deprecation date",
  shutdown_date: "shutdown date",
  earliest_shutdown_date: "earliest shutdown date",
  replacement_models: "replacement",
  status: "status",
  last_observed: "last day on the provider's page",
};

export function changeTitle({ provider, model_id, field, from, to }: Change): string {
  if (field === "last_observed")
    return `${provider}: ${model_id} ${to === "" ? "is listed again" : "was withdrawn from the list"}`;
  return `${provider}: ${model_id}, ${fieldNames[field]} ${from || "unknown"} → ${to || "unknown"}`;
}

export function changeText(change: Change): string {
  const { field, from, to, date_observed } = change;
  const day = date_observed.slice(0, 10);
  if (field !== "last_observed")
    return (
      `${change.provider}: the ${fieldNames[field]} of ${change.model_id} was ` +
      `${from || "not given"} and is now ${to || "not given"}. Seen on ${day}.`
    );
  if (to === "")
    return `${change.provider} lists ${change.model_id} among its deprecations again. Seen on ${day}.`;
  return (
    `${change.provider} no longer lists ${change.model_id} among its deprecations; ` +
    `it was last there on ${to}. Seen on ${day}.`
  );
}
