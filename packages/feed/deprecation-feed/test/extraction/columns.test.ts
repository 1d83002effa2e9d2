import { expect, test } from "vitest";
import { columnsOf, type Meaning, meaningOf } from "../../src/extraction/columns.ts";

const headings: Readonly<Record<Meaning, readonly string[]>> = {
  model: [
    "Model",
    "**Model**",
    "Model ID",
    "API model name",
    "Model / system",
    "Model family / snapshot",
    "Deprecated model",
    "Legacy model",
    "Model being retired",
    "Identifier",
  ],
  replacement: [
    "Recommended replacement",
    "Recommended Replacement Model ID",
    "Recommended replacement base model",
    "Substitute model",
    "Suggested replacement model",
    "Recommended upgrade",
    "Redirect target after May 15",
    "Alternative",
    "Use instead",
  ],
  shutdown: [
    "Shutdown date",
    "Shut down on",
    "Tentative retirement date",
    "Retirement",
    "EOL date",
    "End-of-life",
    "Model retirement date",
    "Removal date",
    "Available until",
    "Sunset",
  ],
  deprecation: ["Deprecated", "Deprecation date (UTC)", "Legacy date", "Deprecation"],
  announcement: ["Announced", "Date of announcement", "Notification date"],
  status: ["Current state", "Status", "Lifecycle", "Model status", "Retirement status", "Stage"],
  regions: ["Regions", "Region"],
  version: ["Version"],
  other: [
    "Release date",
    "Model provider",
    "Deprecated model price",
    "Legacy model price",
    "Recommended for",
    "Public extended access start date",
    "Context window",
    "Model type",
    "Description",
    "",
  ],
};

test.each(Object.entries(headings))(
  "columns with the meaning %s are recognised by their heading",
  (meaning, texts) => {
    for (const text of texts) expect([text, meaningOf(text)]).toEqual([text, meaning]);
  },
);

const indexes = (texts: readonly string[], speaksOfEnd = false): readonly number[] =>
  columnsOf(texts, { speaksOfEnd, tells: false }).map(({ index }) => index);

test("ids come before names, in any order of columns", () => {
  const [first] = columnsOf(["Model name", "EOL date", "Model ID"], {
    speaksOfEnd: false,
    tells: false,
  });
  expect(first?.heading).toBe("Model ID");
});

test.each([
  [["Parameter", "Status", "Recommended replacement"]],
  [["Model", "Parameter", "Shutdown date"]],
  [["Feature", "Model", "Shutdown date"]],
  [["Endpoint", "Shutdown date"]],
  [["System", "Shutdown date"]],
  [["Date", "Update"]],
  [["Model", "Input price", "Output price"]],
  [["Model", "Release date", "Context window"]],
  [["Deprecated model", "Training price", "Shutdown date"]],
])("the table of %j does not say when models end", (texts) => {
  expect(indexes(texts, true)).toEqual([]);
});

test("a table that only recommends counts if its models end", () => {
  expect(indexes(["Model", "Replacement"])).toEqual([]);
  expect(indexes(["Model", "Replacement"], true)).toEqual([0, 1]);
});
