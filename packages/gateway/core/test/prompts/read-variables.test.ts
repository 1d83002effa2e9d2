import { expect, test } from "vitest";
import { promptOf } from "../../src/prompts/index.ts";
import { vocabularies } from "./vocabularies.ts";

test("only variables that change what the template renders belong to a prompt", () => {
  const renderer = vocabularies.find(({ name }) => name === "qwen3")?.renderer;
  if (renderer === undefined) throw new Error("no vocabulary");
  const kept = (variables: Record<string, unknown>) =>
    promptOf({ messages: [], tools: null, variables }, renderer).variables;
  expect(kept({ enable_thinking: true, reasoning_effort: "high" })).toEqual({});
  expect(kept({ enable_thinking: false })).toEqual({ enable_thinking: false });
  const long = "x".repeat(1_000);
  expect(kept({ enable_thinking: long, unknown: long })).toEqual({ enable_thinking: long });
});
