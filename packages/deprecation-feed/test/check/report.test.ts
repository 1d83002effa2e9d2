import { annotations, type CheckReport, checkModels, reportText } from "@proj/deprecation-feed";
import { expect, test } from "vitest";
import { parseFeed } from "../../src/consumer/parse-feed.ts";

const url = "https://docs.example/page";
const items = [
  {
    provider: "Acme",
    model_id: "m-old",
    shutdown_date: "2026-11-01",
    replacement_models: ["m-new", "m-big"],
  },
  { provider: "Acme", model_id: "m-today", shutdown_date: "2026-11-20" },
  { provider: "Acme", model_id: "m-soon", shutdown_date: "2026-11-21", aliases: ["m-alias"] },
  { provider: "Acme", model_id: "m-open", deprecation_date: "2026-05-01", shutdown_text: "TBD" },
  {
    provider: "Acme",
    model_id: "m-gone",
    shutdown_date: "2027-11-20",
    last_observed: "2026-11-18",
  },
].map((_deprecation) => ({ url, _deprecation }));

const feed = parseFeed(JSON.stringify({ items }), "", {});
const models = ["m-old", "m-today", "m-alias", "m-open", "m-gone", "m-unheard,of%"];
const report: CheckReport = {
  feed: "feed.json",
  within_days: 30,
  models: checkModels(models, feed, { today: "2026-11-20" }).map((checked, index) => ({
    ...checked,
    places: index === 0 ? [{ file: "src/a,b.ts", line: 3, column: 7 }] : [],
  })),
};

test("for people: what ends when, what replaces it, who says so, and where it is named", () => {
  expect(reportText(report).split("\n")).toEqual([
    "✗ m-old was shut down on 2026-11-01, 19 days ago (Acme); replaced by m-new or m-big",
    `    ${url}`,
    "    src/a,b.ts:3:7",
    "✗ m-today shuts down today, 2026-11-20 (Acme)",
    `    ${url}`,
    "✗ m-alias (m-soon) shuts down on 2026-11-21, in 1 day (Acme)",
    `    ${url}`,
    '! m-open is deprecated (2026-05-01), with no shutdown date: "TBD" (Acme)',
    `    ${url}`,
    "! m-gone shuts down on 2027-11-20, in 365 days (Acme); Acme no longer lists it (last seen on 2026-11-18)",
    `    ${url}`,
    "? m-unheard,of% is unknown: the feed does not list it, which does not mean that it is safe",
    "6 models: 3 shut down or ending within 30 days, 1 unknown (feed.json)",
    "",
  ]);
});

test("for GitHub Actions: an annotation for each place, escaped as its commands are", () => {
  const lines = annotations(report).split("\n");
  expect(lines[0]).toBe(
    "::error file=src/a%2Cb.ts,line=3,col=7,title=Model ending::m-old was shut down on 2026-11-01, " +
      `19 days ago (Acme); replaced by m-new or m-big ${url}`,
  );
  expect(lines[3]).toMatch(/^::warning title=Model deprecated::m-open /);
  expect(lines[5]).toMatch(/^::notice title=Model unknown::m-unheard,of%25 is unknown/);
});
