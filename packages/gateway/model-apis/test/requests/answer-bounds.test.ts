import { expect, test } from "vitest";
import {
  type AnswerBounds,
  endpointsByName,
  readAnswerBounds,
  readRequestBody,
} from "../../src/index.ts";

function boundsOf(text: string, set = {}, name: keyof typeof endpointsByName = "chat_completions") {
  const told = name === "generate_content" ? { model: "m", stream: false } : null;
  const body = readRequestBody(Buffer.from(text), endpointsByName[name].history, null, told);
  const { tokens, answers, tiers }: AnswerBounds = readAnswerBounds(body, set);
  return [tokens, answers, ...tiers];
}

const padding = `"padding":"${"x".repeat(1_000_000)}"`;

test.each<[string, readonly unknown[]]>([
  ['{"model":"m"}', [null, 1]],
  ['{"model":"m","max_tokens":null,"n":0}', [null, 1]],
  ['{"model":"m","max_tokens":-1,"n":"x"}', [null, 1]],
  ['{"model":"m","max_tokens":5}', [5, 1]],
  [`{"model":"m",${padding},"max_tokens":5,"n":2}`, [5, 2]],
  ['{"model":"m","max_tokens":"500"}', [500, 1]],
  ['{"model":"m","max_tokens":500.5}', [501, 1]],
  ['{"model":"m","max_tokens":5e2}', [500, 1]],
  ['{"model":"m","max_tokens":1,"Max_Completion_Tokens":500}', [500, 1]],
  ['{"model":"m","max_tokens":500,"max_tokens":1}', [500, 1]],
  ['{"model":"m","max\\u005ftokens":500}', [500, 1]],
  ['{"model":"m","max_tokens":99999999999999999999999}', [100_000_000, 1]],
  ['{"model":"m","n_predict":500}', [500, 1]],
  ['{"model":"m","messages":[{"max_tokens":500}],"tools":[{"n":9}]}', [null, 1]],
  ['{"model":"m","n":3,"best_of":8}', [null, 8]],
  ['{"model":"m","service_tier":"priority","speed":"fast"}', [null, 1, "priority", "fast"]],
])("%s", (text, expected) => {
  expect(boundsOf(text)).toEqual(expected);
});

test("what the route sets counts in the caller's place, in any case", () => {
  expect(boundsOf('{"model":"m","max_tokens":500,"N":9}', { MAX_TOKENS: 5, n: 2 })).toEqual([5, 2]);
});

test("each prompt of a list has an answer", () => {
  const asked = (prompt: string) =>
    boundsOf(`{"model":"m","prompt":${prompt},"n":2}`, {}, "completions");
  expect(['"a"', "[1,2,3]", "[]"].map(asked)).toEqual(Array(3).fill([null, 2]));
  expect(['["a","b","c"]', "[[1],[2],[3]]"].map(asked)).toEqual(Array(2).fill([null, 6]));
});

test("Gemini's place has any spelling, and may be there twice", () => {
  const text =
    '{"generationConfig":{"maxOutputTokens":"5"},"generation_config":{"max_output_tokens":50,"candidateCount":2}}';
  expect(boundsOf(text, {}, "generate_content")).toEqual([50, 2]);
  expect(boundsOf(text, { generationConfig: { maxOutputTokens: 7 } }, "generate_content")).toEqual([
    50, 2,
  ]);
});
