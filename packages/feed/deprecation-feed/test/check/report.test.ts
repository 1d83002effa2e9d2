import {
  annotations,
  baselineOf,
  beyondBaseline,
  type CheckReport,
  checkBadge,
  checkModels,
  jobSummary,
  parseBaseline,
  reportText,
  sarif,
} from "@proj/deprecation-feed";
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
  warnings: [{ provider: "Acme", message: "the page of Acme was last read on 2026-11-18: 503" }],
  models: checkModels(models, feed, { today: "2026-11-20" }).map((checked, index) => ({
    ...checked,
    places: index === 0 ? [{ file: "src/a,b.ts", line: 3, column: 7 }] : [],
  })),
};

test("for people: what ends when, its replacement, the source, and where it is named", () => {
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
    "warning: the page of Acme was last read on 2026-11-18: 503",
    "6 models: 3 shut down or ending within 30 days, 1 unknown (feed.json)",
    "",
  ]);
});

test("for GitHub Actions: one annotation per place, with escaped text", () => {
  const lines = annotations(report).split("\n");
  expect(lines[0]).toBe(
    "::error file=src/a%2Cb.ts,line=3,col=7,title=Model ending::m-old was shut down on 2026-11-01, " +
      `19 days ago (Acme); replaced by m-new or m-big ${url}`,
  );
  expect(lines[3]).toMatch(/^::warning title=Model deprecated::m-open /);
  expect(lines[6]).toBe(
    "::warning title=Feed not up to date::the page of Acme was last read on 2026-11-18: 503",
  );
  expect(lines[5]).toMatch(/^::notice title=Model unknown::m-unheard,of%25 is unknown/);
});

test("for GitHub Actions: ten annotations at most, and everything in the job's summary", () => {
  const [old] = report.models;
  if (old === undefined) throw new Error("there is a first model");
  const places = Array.from({ length: 30 }, (_, index) => ({
    file: "a.ts",
    line: index,
    column: 1,
  }));
  const many = { ...report, models: [{ ...old, places }] };
  const lines = annotations(many).trimEnd().split("\n");
  expect(lines).toHaveLength(10);
  expect(lines[9]).toMatch(/^::notice title=Models::2[0-9] more findings are in the summary/);
  const summary = jobSummary(many);
  expect(summary).toContain("### Shut down, or soon (1)");
  expect(summary).toContain("  - a.ts:29\n");
  expect(jobSummary({ ...report, models: [{ ...old, model: "<b>*x*" }] })).toContain(
    "\\<b\\>\\*x\\*",
  );
});

test("for code scanning: one result per place of an ending model", () => {
  const { runs } = JSON.parse(sarif(report));
  expect(runs[0].results).toEqual([
    {
      ruleId: "model-ending",
      level: "error",
      message: { text: expect.stringMatching(/^m-old was shut down/) },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "src/a%2Cb.ts" },
            region: { startLine: 3, startColumn: 7 },
          },
        },
      ],
      partialFingerprints: { "model/v1": "m-old src/a,b.ts" },
    },
  ]);
  expect(runs[0].invocations[0].toolExecutionNotifications).toHaveLength(1);
});

test("a baseline accepts existing findings, and only new ones count", () => {
  const baseline = parseBaseline(baselineOf(report.models), "baseline.json");
  expect(beyondBaseline(report.models, baseline).map(({ model }) => model)).toEqual([
    "m-unheard,of%",
  ]);
  const [old] = report.models;
  if (old === undefined) throw new Error("there is a first model");
  const place = { file: "src/new.ts", line: 1, column: 1 };
  const moved = { ...old, places: [...old.places, place] };
  expect(beyondBaseline([moved], baseline)).toMatchObject([{ model: "m-old", places: [place] }]);
  expect(() => parseBaseline("[]", "x.json")).toThrow("x.json is not a baseline of this program");
});

test("a badge shows the worst verdict", () => {
  expect(checkBadge(report.models)).toContain("models: 3 ending");
  expect(checkBadge([{ verdict: "active" }, { verdict: "unknown" }])).toContain("up to date");
  expect(checkBadge([{ verdict: "deprecated" }])).toContain("1 deprecated");
});
