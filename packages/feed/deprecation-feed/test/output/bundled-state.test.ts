import { expect, test } from "vitest";
import { looksLikeModelId } from "../../src/extraction/model-ids.ts";
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
