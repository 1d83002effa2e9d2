import { describe, expect, test } from "vitest";
import { toHtml } from "../../src/extraction/markdown.ts";
import { readPage } from "../../src/extraction/page.ts";
import { noticesFromTables, type TableRules } from "../../src/extraction/table-notices.ts";
import { unreadLines } from "../../src/extraction/unread.ts";
import type { Notice } from "../../src/notice/notice.ts";
import { mistral } from "../../src/providers/mistral.ts";

const fromTables = (page: string, rules?: TableRules): readonly Notice[] =>
  noticesFromTables(readPage(page), rules);
const idsOf = (notices: readonly Notice[]): readonly string[] =>
  notices.map(({ model_id }) => model_id);
const table = (...rows: readonly string[]): string => {
  const [head = "", ...data] = rows;
  return [head, head.replace(/[^|]+/g, "---"), ...data].map((row) => `| ${row} |`).join("\n");
};

describe("a table", () => {
  test("gives one notice per id of a row, with the others as its aliases", () => {
    const page = `# Deprecations\n\n## Part\n\n${table("Model | Shutdown date", "`a-1` or `b-1` | May 4, 2026")}`;
    expect(fromTables(page)).toMatchObject([
      { model_id: "a-1", aliases: ["b-1"], shutdown_date: "2026-05-04", anchor: "part" },
      { model_id: "b-1", aliases: ["a-1"], shutdown_date: "2026-05-04", anchor: "part" },
    ]);
  });

  test("keeps its headings and cells as the notice's source text", () => {
    const page = `# Deprecations\n\n## Part\n\n${table("Model | Shutdown date", "`a-1` | May 4, 2026")}`;
    expect(fromTables(page)[0]?.source_text).toBe(
      "Deprecations\nPart\nModel: a-1 | Shutdown date: May 4, 2026",
    );
  });

  test("gives no notice for models without any information", () => {
    const rows = [
      "a-1 | GA | —",
      "b-1 | Active | N/A",
      "c-1 | Preview | No date announced",
      "d-1 | |",
    ];
    expect(fromTables(table("Model | Status | Retirement date", ...rows))).toEqual([]);
  });

  test.each([
    ["a status", "Model | Status | Shutdown date", "a-1 | Deprecated | —"],
    ["a bound", "Model | Status | Shutdown date", "a-1 | Active | Not sooner than May 4, 2027"],
    ["a month", "Model | Status | Shutdown date", "a-1 | Active | May 2027"],
    ["a promise", "Model | Status | Shutdown date", "a-1 | Active | TBD"],
    ["a replacement", "Model | Replacement | Shutdown date", "a-1 | b-1 | No date announced"],
    ["its column", "Retired model | Replacement", "a-1 | "],
  ])("gives a notice without a date if %s mentions an end", (_, head, row) => {
    const notices = fromTables(`# Deprecations\n\n${table(head, row)}`);
    expect(notices).toMatchObject([{ model_id: "a-1", shutdown_date: "", deprecation_date: "" }]);
  });

  test("gives a notice without a date under a heading of retired models", () => {
    const page = `## Retired models\n\n${table("Model | Retirement date", "a-1 | ")}`;
    expect(idsOf(fromTables(page))).toEqual(["a-1"]);
    expect(idsOf(fromTables(page.replace("Retired models", "Retirement of models")))).toEqual([]);
  });

  test("treats dates under a heading such as 'not sooner than' as bounds", () => {
    const page = table("Model | Retirement date (not sooner than)", "a-1 | May 4, 2027");
    expect(fromTables(page)).toMatchObject([{ shutdown_date: "", shutdown_text: "May 4, 2027" }]);
  });

  test("takes the earlier of legacy and deprecation dates", () => {
    const page = table(
      "Model | Deprecation date | Legacy date | EOL date",
      "a-1 | July 1, 2025 | May 1, 2025 | August 1, 2025",
      "b-1 | July 1, 2025 | N/A | August 1, 2025",
    );
    expect(fromTables(page).map((notice) => notice.deprecation_date)).toEqual([
      "2025-05-01",
      "2025-07-01",
    ]);
  });

  test("has ids of model and dated version if it lists versions", () => {
    const rows = [
      "gpt-x | 2024-05-13 | 2026-10-01",
      "gpt-x | 0613 | 2026-11-01",
      "tts | 2 | 2026-10-01",
    ];
    expect(idsOf(fromTables(table("Model | Version | Retirement date", ...rows)))).toEqual([
      "gpt-x-2024-05-13",
      "gpt-x-0613",
      "tts",
    ]);
  });

  test("about fine-tuning gives notices only for fine-tuned models", () => {
    const page = `### 2026-01-01: Fine-tuning of old models\n\n${table("Model | Shutdown date", "a-1 | 2026-05-04", "ft-a-1 | 2026-05-04")}`;
    expect(idsOf(fromTables(page))).toEqual(["ft-a-1"]);
  });

  test("with a row whose first cell is missing is read from its id on", () => {
    const row = (...cells: readonly string[]): string =>
      `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
    const page = `<table>${row("Model provider", "Model name", "Model ID", "Regions", "Legacy date", "EOL date")}${row("A One", "a.one-v1:0", "us-east-1, us-west-2", "May 4, 2026", "June 4, 2026")}${row("A", "A Two", "a.two-v1:0", "us-east-1", "May 4, 2026")}</table>`;
    expect(fromTables(page)).toMatchObject([
      { model_id: "a.one-v1:0", regions: ["us-east-1", "us-west-2"], shutdown_date: "2026-06-04" },
      { model_id: "a.two-v1:0", deprecation_date: "2026-05-04", shutdown_date: "" },
    ]);
  });

  test("uses names as ids only if the page has no ids", () => {
    const page = table(
      "Model | Retirement date",
      "[Command R](/models/command-r/1) | 2026-05-04",
      "Jamba Instruct | 2026-05-04",
    );
    expect(idsOf(fromTables(page))).toEqual([]);
    const rules = { idOfLink: /\/models\/([^/]+)/, acceptsNames: true };
    expect(idsOf(fromTables(page, rules))).toEqual(["command-r", "Jamba Instruct"]);
  });

  test("without a column of dates uses the day of its heading", () => {
    const page = `# Retirement on May 4, 2026\n\n${table("Retired model | Replacement", "`a-1` | `b-1`")}`;
    expect(fromTables(page)).toMatchObject([{ shutdown_date: "2026-05-04" }]);
    const dated = `# 2026-05-04: Retirement of models\n\n${table("Retired model | Replacement", "`a-1` | `b-1`")}`;
    expect(fromTables(dated)).toMatchObject([{ shutdown_date: "" }]);
  });
});

test("rows with only a name get their id from another table, and their regions from their dates", () => {
  const page = readPage(`
| Model name | Model ID |
| --- | --- |
| Titan Text G1 - Express | amazon.titan-text-express-v1 |

## Legacy models

| Model name | Legacy date | EOL date |
| --- | --- | --- |
| Titan Text G1 - Express | January 5, 2026 | June 5, 2026 (only in us-west-2 and us-gov-east-1) |
| Titan Embeddings - Text v1.1 | January 5, 2026 | June 5, 2026 |
`);
  const notices = noticesFromTables(page, { acceptsNames: true });
  expect(notices).toMatchObject([
    {
      model_id: "amazon.titan-text-express-v1",
      shutdown_date: "2026-06-05",
      regions: ["us-west-2", "us-gov-east-1"],
    },
    { model_id: "Titan Embeddings - Text v1.1", regions: [] },
  ]);
});

test("an API next to models in a cell does not hide them, and on its own it is not a model", () => {
  const page = readPage(`
| Model / system | Shutdown date |
| --- | --- |
| Videos API, \`sora-2\`, \`sora-2-pro\` | 2026-09-24 |
| Assistants API | 2026-08-26 |
`);
  const ids = noticesFromTables(page).map(({ model_id }) => model_id);
  expect(ids).toEqual(["sora-2", "sora-2-pro"]);
});

test("a model that a page calls active is so, with the first day on which it may end", () => {
  const page = readPage(`
| Model | Current state | Retirement date |
| --- | --- | --- |
| claude-opus-5 | Active | Not sooner than July 24, 2027 |
| claude-old-1 | Retired | July 24, 2025 |

## Available models

| Model ID | Retirement date |
| --- | --- |
| gemini-3.5-flash | May 19, 2027 or later |
| gemini-2.5-flash | October 20, 2026 |
`);
  const found = noticesFromTables(page).map(({ model_id, state, earliest_shutdown_date }) => [
    model_id,
    state,
    earliest_shutdown_date,
  ]);
  expect(found).toEqual([
    ["claude-opus-5", "active", "2027-07-24"],
    ["claude-old-1", "shutdown", ""],
    ["gemini-3.5-flash", "active", "2027-05-19"],
    ["gemini-2.5-flash", "", ""],
  ]);
});

test("a row with line breaks in its cells is read, and not reported as unread", () => {
  const page = toHtml(`### Legacy models

| Model | Weights | API Endpoints | Retirement date | Alternative model |
| --- | --- | --- | --- | --- |
| Mixtral 8x7B | yes <br/> Apache2 | \`open-mixtral-8x7b\` | 2025/03/30 | \`mistral-small-latest\` |
`);
  const notices = mistral.extract(page);
  expect(notices).toMatchObject([{ model_id: "open-mixtral-8x7b", shutdown_date: "2025-03-30" }]);
  expect(unreadLines(readPage(page), notices)).toEqual([]);
});
