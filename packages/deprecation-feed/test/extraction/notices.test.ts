import { describe, expect, test } from "vitest";
import {
  announcementInHeadings,
  announcementInSentences,
} from "../../src/extraction/announcements.ts";
import { noticesFromLists } from "../../src/extraction/list-notices.ts";
import { readPage } from "../../src/extraction/page.ts";
import { noticesFromSentences } from "../../src/extraction/sentence-notices.ts";
import { noticesFromTables, type TableRules } from "../../src/extraction/table-notices.ts";
import type { Notice } from "../../src/notice/notice.ts";

const fromTables = (page: string, rules?: TableRules): readonly Notice[] =>
  noticesFromTables(readPage(page), rules);
const idsOf = (notices: readonly Notice[]): readonly string[] =>
  notices.map(({ model_id }) => model_id);
const table = (...rows: readonly string[]): string => {
  const [head = "", ...data] = rows;
  return [head, head.replace(/[^|]+/g, "---"), ...data].map((row) => `| ${row} |`).join("\n");
};

describe("a table", () => {
  test("gives a notice for each id of a row, with the others as its aliases", () => {
    const page = `# Deprecations\n\n## Part\n\n${table("Model | Shutdown date", "`a-1` or `b-1` | May 4, 2026")}`;
    expect(fromTables(page)).toMatchObject([
      { model_id: "a-1", aliases: ["b-1"], shutdown_date: "2026-05-04", anchor: "part" },
      { model_id: "b-1", aliases: ["a-1"], shutdown_date: "2026-05-04", anchor: "part" },
    ]);
  });

  test("keeps its headings and cells as the words of the notice", () => {
    const page = `# Deprecations\n\n## Part\n\n${table("Model | Shutdown date", "`a-1` | May 4, 2026")}`;
    expect(fromTables(page)[0]?.source_text).toBe(
      "Deprecations\nPart\nModel: a-1 | Shutdown date: May 4, 2026",
    );
  });

  test("gives no notice of models of which nothing is said", () => {
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
  ])("gives a notice without a date where %s speaks of an end", (_, head, row) => {
    const notices = fromTables(`# Deprecations\n\n${table(head, row)}`);
    expect(notices).toMatchObject([{ model_id: "a-1", shutdown_date: "", deprecation_date: "" }]);
  });

  test("gives a notice without a date under a heading of retired models", () => {
    const page = `## Retired models\n\n${table("Model | Retirement date", "a-1 | ")}`;
    expect(idsOf(fromTables(page))).toEqual(["a-1"]);
    expect(idsOf(fromTables(page.replace("Retired models", "Retirement of models")))).toEqual([]);
  });

  test("takes dates under a heading such as 'not sooner than' for bounds", () => {
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

  test("has ids of model and dated version where it lists versions", () => {
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

  test("of fine-tuning names models only that are fine-tuned", () => {
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

  test("has names for ids only where a page has no others", () => {
    const page = table(
      "Model | Retirement date",
      "[Command R](/models/command-r/1) | 2026-05-04",
      "Jamba Instruct | 2026-05-04",
    );
    expect(idsOf(fromTables(page))).toEqual([]);
    const rules = { idOfLink: /\/models\/([^/]+)/, acceptsNames: true };
    expect(idsOf(fromTables(page, rules))).toEqual(["command-r", "Jamba Instruct"]);
  });

  test("takes the day of its heading where it has no column of dates", () => {
    const page = `# Retirement on May 4, 2026\n\n${table("Retired model | Replacement", "`a-1` | `b-1`")}`;
    expect(fromTables(page)).toMatchObject([{ shutdown_date: "2026-05-04" }]);
    const dated = `# 2026-05-04: Retirement of models\n\n${table("Retired model | Replacement", "`a-1` | `b-1`")}`;
    expect(fromTables(dated)).toMatchObject([{ shutdown_date: "" }]);
  });
});

describe("an announcement", () => {
  const [section] = readPage("text").sections;
  const sectionOf = (page: string) =>
    readPage(page).sections.at(-1) ??
    section ?? { headings: [], blocks: [], dateOrder: "unknown" as const };

  test("is dated by the nearest heading that begins with a day", () => {
    expect(announcementInHeadings(sectionOf("## 2026-04-14: A\n\n### B"))).toBe("2026-04-14");
    expect(announcementInHeadings(sectionOf("## Three models end on 2026-04-14"))).toBe("");
  });

  test("is dated by a sentence that says when customers were told", () => {
    const page = "It ends on May 4, 2026. In short, on March 2, 2026, we emailed everyone.";
    expect(announcementInSentences(sectionOf(page))).toBe("2026-03-02");
    expect(announcementInSentences(sectionOf("In March 2026, we emailed everyone."))).toBe("");
  });
});

describe("a list", () => {
  const fromLists = (page: string): readonly Notice[] =>
    noticesFromLists(readPage(page), { hasAlternatives: true });

  test("of models that end gives them the day of the sentence before it", () => {
    const page =
      "Effective May 4th, 2026, these models will be retired:\n\n* `a-1`\n* `b-1` (and the alias `b`)\n";
    expect(fromLists(page)).toMatchObject([
      { model_id: "a-1", shutdown_date: "2026-05-04" },
      { model_id: "b-1", aliases: ["b"], shutdown_date: "2026-05-04" },
      { model_id: "b", aliases: ["b-1"], shutdown_date: "2026-05-04" },
    ]);
  });

  test("of deprecations has no shutdown date, and none of what customers were told", () => {
    const page =
      "On May 1, 2026, we announced this. Effective May 4, 2026, deprecations begin.\n\nDeprecated models:\n\n* `a-1`\n";
    expect(fromLists(page)).toMatchObject([{ deprecation_date: "2026-05-04", shutdown_date: "" }]);
    const told =
      "On May 1, 2026, we announced that these models will be retired on June 4, 2026:\n\n* `a-1`\n";
    expect(fromLists(told)).toMatchObject([{ shutdown_date: "2026-06-04" }]);
  });

  test("with a bound keeps it as text", () => {
    const page = "No sooner than May 4, 2026, these models will be retired:\n\n* `a-1`\n";
    expect(fromLists(page)).toMatchObject([
      {
        shutdown_date: "",
        shutdown_text: "No sooner than May 4, 2026, these models will be retired:",
      },
    ]);
  });

  test("goes on after a label, and ends with another sentence", () => {
    const page =
      "These models will be retired:\n\n**Chat**\n\n* `a-1`\n\nWe thank everyone who used them.\n\n* `b-1`\n";
    expect(idsOf(fromLists(page))).toEqual(["a-1"]);
  });

  test.each([
    "Deprecated features and endpoints:\n\n* `/v1/x`\n* `batch-1`\n",
    "We recommend these models:\n\n* `a-1`\n",
    "All models fine-tuned with these will be retired:\n\n* `a-1`\n",
    "These models will be retired:\n\n* Training with `a-1`\n* `/v1/x` parameters: `a-1`\n* Slack App\n",
  ])("is not of models that end: %j", (page) => {
    expect(fromLists(page)).toEqual([]);
  });

  test("has the alternatives of its models' own family, or else those of no other's", () => {
    const page =
      "These models will be retired:\n\n* `embed-v2`\n* `aya-8b`\n\nWe recommend:\n\n* For embeddings:\n  * `embed-v4`\n* For chat:\n  * `command-a`\n";
    expect(fromLists(page)).toMatchObject([
      { model_id: "embed-v2", replacement_models: ["embed-v4"] },
      { model_id: "aya-8b", replacement_models: ["command-a"] },
    ]);
  });
});

describe("a sentence", () => {
  const fromSentences = (page: string): readonly Notice[] => noticesFromSentences(readPage(page));

  test("that says of an id that it is deprecated or retired is a notice", () => {
    expect(
      fromSentences("[A](/a) (`a-1`) is deprecated. To migrate to B (`b-1`), read on."),
    ).toMatchObject([{ model_id: "a-1", replacement_models: ["b-1"], shutdown_date: "" }]);
    expect(fromSentences("A (`a-1`) and B (`b-1`) were retired on May 4, 2026.")).toMatchObject([
      { model_id: "a-1", shutdown_date: "2026-05-04" },
      { model_id: "b-1", shutdown_date: "2026-05-04" },
    ]);
  });

  test.each([
    "Requests to `a-1` are deprecated.",
    "When `a-1` is retired, calls fail.",
    "The parameter `top-k` is deprecated.",
    "`a-1` is better than what was retired.",
    "This model was retired May 4, 2026.",
  ])("is none: %s", (page) => {
    expect(fromSentences(page)).toEqual([]);
  });
});

test("rows that only name a model get its id from another table, and regions from their dates", () => {
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

test("an API beside models in one cell does not hide them, and alone it is not a model", () => {
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
