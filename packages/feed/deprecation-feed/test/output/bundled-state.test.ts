import { expect, test } from "vitest";
import { judgeRows } from "../../src/collection/judge-rows.ts";
import { looksLikeModelId } from "../../src/extraction/model-ids.ts";
import { unknownFacts } from "../../src/extraction/new-notice.ts";
import { rollUp } from "../../src/extraction/roll-up.ts";
import { deprecationsFile, statusFile } from "../../src/feeds/data-files.ts";
import { parseState } from "../../src/output/parse-state.ts";
import { readState } from "../../src/output/read-state.ts";

test("a first run can start from what the pages had when this version was made", async () => {
  const state = await readState({ kind: "bundled" }, {});
  const { notices } = state.catalogue;
  expect(notices.length).toBeGreaterThan(400);
  expect(notices.filter(({ model_id }) => !looksLikeModelId(model_id))).toEqual([]);
  expect(notices.find(({ model_id }) => model_id === "gpt-5-2025-08-07")).toMatchObject({
    slug: "openai",
    shutdown_date: "2026-12-11",
    status: "deprecated",
  });
  const written = parseState(deprecationsFile(state), statusFile(state), "the bundle");
  expect(written.catalogue.notices).toHaveLength(notices.length);
  expect(state.statuses.map(({ slug }) => slug)).toContain("anthropic");
});

test("it has the providers' facts, not their sentences", async () => {
  const { catalogue } = await readState({ kind: "bundled" }, {});
  const words = catalogue.notices.flatMap(({ source_text }) => source_text.split(/ \| |\n/));
  const isCell = (text: string): boolean => text === "" || /^[^:]{1,50}: [^:]{1,40}$/.test(text);
  expect(words.filter((text) => !isCell(text))).toEqual([]);
});

test("a row whose words are not known is not taken for another one", async () => {
  const { catalogue } = await readState({ kind: "bundled" }, {});
  const listed = catalogue.notices.filter(({ slug }) => slug === "cohere");
  const gone = listed.find((notice) => notice.source_text === "" && notice.status !== "shutdown");
  const [some] = gone === undefined ? [] : [gone];
  expect(some).toBeDefined();
  const added = rollUp([
    { ...unknownFacts, aliases: [], anchor: "", model_id: "nova-9", source_text: "nova-9" },
  ]);
  const now = {
    listed: [...listed.filter((notice) => notice !== some), ...added],
    ...{ lines: ["nova-9"], tail: "", today: "2026-08-22" },
  };
  const judged = judgeRows({ listed, recentlyGone: new Set(), tail: "" }, now, () => false);
  expect(judged.held).toEqual([]);
});
