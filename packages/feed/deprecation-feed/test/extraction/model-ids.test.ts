import { describe, expect, test } from "vitest";
import { nameOf, readModelIds, readReplacements } from "../../src/extraction/id-cells.ts";
import { isModelId, looksLikeModelId } from "../../src/extraction/model-ids.ts";

test.each([
  "gpt-4o",
  "ada",
  "o1",
  "textembedding-gecko@003",
  "amazon.nova-reel-v1:0",
  "ft:gpt-3.5-turbo:acme::7p4lURel",
  "meta-llama/llama-4-scout-17b-16e-instruct",
  "Phi-3.5-MoE-instruct",
  "Jamba Instruct",
  "Command R+",
  "Mistral Small 4",
])("%s can be a model", (text) => {
  expect(looksLikeModelId(text)).toBe(true);
});

test.each([
  "",
  "—",
  "2026-08-26",
  "25.08",
  "N/A",
  "None",
  "/v1/edits",
  "v1/prompts",
  "https://example.com/models",
  "Videos API",
  "Assistants API",
  "OpenAI-Beta: realtime=v1",
  "New fine-tuning training on babbage-002",
  "Fine-tuning",
  "Preview models",
  "us-east-1",
  "The following models will be retired.",
  "Please sign in to go on",
  "View transition guide",
])("%j cannot be a model", (text) => {
  expect(looksLikeModelId(text)).toBe(false);
});

test("an id is one word; a name may be several", () => {
  expect(isModelId("gpt-4o")).toBe(true);
  expect(isModelId("Jamba Instruct")).toBe(false);
});

describe("the ids of a cell", () => {
  test.each([
    ["`gpt-4-0613` | `gpt-4`, `gpt-4-completions`", ["gpt-4-0613", "gpt-4", "gpt-4-completions"]],
    ["`x-1` or `y-1`", ["x-1", "y-1"]],
    ["`x-1`\n`y-1`", ["x-1", "y-1"]],
    ["`x-1``y-1`", ["x-1", "y-1"]],
    ["`x-1 | y-1`", ["x-1", "y-1"]],
    ["x-1, y-1 and z-1", ["x-1", "y-1", "z-1"]],
    ["x-1 y/z-1", ["x-1", "y/z-1"]],
    ["` gpt-3.5-turbo-16k-0613`", ["gpt-3.5-turbo-16k-0613"]],
    ["`command-r-03-2024`  (and the alias `command-r`)", ["command-r-03-2024", "command-r"]],
    [
      "`gpt-4-0125-preview` (including `gpt-4-turbo-preview`, which points here)",
      ["gpt-4-0125-preview", "gpt-4-turbo-preview"],
    ],
    ["x-1 (also known as y-1)", ["x-1", "y-1"]],
    ["`x-1` (use `y-1`)", ["x-1"]],
    ["claude-x-preview (gated research preview)", ["claude-x-preview"]],
    ["`summarize` (see the guide).", ["summarize"]],
    ["textembedding-gecko@003*", ["textembedding-gecko@003"]],
    ["`gpt-4.1*`", ["gpt-4.1"]],
    ["gpt\u20114o", ["gpt-4o"]],
    ["imagetext", ["imagetext"]],
  ])("%j", (cell, ids) => {
    expect(readModelIds(cell)).toEqual(ids);
  });

  test.each([
    "",
    "---",
    "Preview models",
    "Videos API",
    "New fine-tuning training on `babbage-002`",
    "OpenAI-Beta: assistants=v1",
    "`OpenAI-Beta: assistants=v1`",
    "`/v1/chat` parameters: `connectors`",
    "Deprecating fine-tuning with `command-r-03-2024`",
    "us-east-1, us-west-2",
  ])("none in %j", (cell) => {
    expect(readModelIds(cell)).toEqual([]);
  });
});

describe("what a cell recommends", () => {
  test.each([
    ["`gpt-5.6-sol` (`reasoning.mode: pro`)", ["gpt-5.6-sol"]],
    ["`grok-4.3` with `low` reasoning effort", ["grok-4.3"]],
    [
      "`gpt-image-2`, `gpt-image-1`, or `gpt-image-1-mini`",
      ["gpt-image-2", "gpt-image-1", "gpt-image-1-mini"],
    ],
    ["`gpt-5` or `gpt-4.1*`", ["gpt-5", "gpt-4.1"]],
    ["x-1 y/z-1 (text-only workloads)", ["x-1", "y/z-1"]],
    ["veo-3.1-preview or the GA models on the Enterprise Platform", ["veo-3.1-preview"]],
    ["Gemini 3.5 Flash-Lite or Gemma 4", ["Gemini 3.5 Flash-Lite", "Gemma 4"]],
    ["Codestral", ["Codestral"]],
    ["---", []],
    ["N/A", []],
    ["Responses API and Conversations API", []],
    ["`/v1/chat/completions`", []],
    ["View transition guide", []],
  ])("%j", (cell, models) => {
    expect(readReplacements(cell)).toEqual(models);
  });
});

test("a name is read without the arrow of its link", () => {
  expect(nameOf("Mathstral 7B ↗")).toEqual(["Mathstral 7B"]);
  expect(nameOf("Batch API")).toEqual([]);
});
