import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatCompletions } from "../../src/chat-completions/chat-completions.ts";
import { endpointsByName } from "../../src/endpoints.ts";
import { readPlainAnswer } from "../../src/facts/plain-answer.ts";
import { noTokens } from "../../src/facts/token-counts.ts";
import { draws, jsonValue, write } from "../json/arbitrary-json.ts";

const usage = { prompt_tokens: 12, completion_tokens: 34, total_tokens: 46 };
const chat = {
  id: "chatcmpl-1",
  choices: [
    {
      index: 0,
      message: { role: "assistant", usage: 1, content: "x" },
      finish_reason: "tool_calls",
    },
    { index: 1, message: { role: "assistant", content: "y" }, finish_reason: "length" },
  ],
  usage: { details: { prompt_tokens: 99 }, ...usage },
};

function read(text: string, endpoint: "chat_completions" | "responses" = "chat_completions") {
  return readPlainAnswer(Buffer.from(text), endpointsByName[endpoint].readFacts, false);
}

describe("chat completions", () => {
  test("usage, the first choice's finish reason, and the text as it came", () => {
    const bytes = Buffer.from(JSON.stringify(chat, null, 2));
    const facts = readPlainAnswer(bytes, chatCompletions.readFacts, false);
    expect(facts).toEqual({
      complete: true,
      error: null,
      no_answer: null,
      is_pending: false,
      object_id: null,
      finish_reason: "tool_calls",
      response_model: null,
      ...noTokens,
      prompt_tokens: 12,
      completion_tokens: 34,
      truncated: false,
      unreadable: null,
      text: bytes,
      sensitive: false,
    });
    expect(facts.text).toBe(bytes);
  });

  test.each([
    "{}",
    '{"usage":null,"choices":[]}',
    '{"usage":[],"choices":{}}',
    '{"usage":{"prompt_tokens":"1","completion_tokens":-1},"choices":[{"finish_reason":null}]}',
    '{"usage":{"prompt_tokens":1.5},"choices":[null,{"finish_reason":"stop"}]}',
    '{"error":{"message":"no","usage":{"prompt_tokens":1}}}',
    "[]",
    '"text"',
    "12",
  ])("%s has none of the facts", (text) => {
    const facts = read(text);
    expect([facts.finish_reason, facts.prompt_tokens, facts.completion_tokens]).toEqual([
      null,
      null,
      null,
    ]);
    expect(Buffer.from(facts.text ?? "").toString()).toBe(text);
  });

  test("a credential in the answer is noticed", () => {
    expect(read('{"echo":{"api_key":"x"}}').sensitive).toBe(true);
  });
});

describe("responses", () => {
  test.each([
    ['{"status":"completed","incomplete_details":null}', "completed"],
    [
      '{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}',
      "max_output_tokens",
    ],
    ['{"incomplete_details":{"reason":"content_filter"},"status":"incomplete"}', "content_filter"],
    ['{"status":"incomplete","incomplete_details":null}', "incomplete"],
    ['{"status":"failed","error":{"code":"x"}}', "failed"],
    ['{"output":[{"status":"completed"}]}', null],
  ])("%s finished by %s", (text, reason) => {
    expect(read(text, "responses").finish_reason).toBe(reason);
  });

  test("tokens", () => {
    const facts = read(
      '{"usage":{"input_tokens":5,"output_tokens":0,"prompt_tokens":9}}',
      "responses",
    );
    expect([facts.prompt_tokens, facts.completion_tokens]).toEqual([5, 0]);
  });
});

test("the facts are found in any text that means the same", () => {
  fc.assert(
    fc.property(jsonValue, draws, (extra, draw) => {
      const facts = read(write({ extra, ...chat, last: extra }, draw));
      expect(facts).toMatchObject({
        finish_reason: "tool_calls",
        prompt_tokens: 12,
        completion_tokens: 34,
      });
    }),
    { seed: 1, numRuns: 200 },
  );
});

describe("an answer that is not JSON becomes a JSON string", () => {
  test.each([
    '<html><body>"502" Bad Gateway\n</body></html>',
    "OK",
    "Internal Server Error",
    '{"choices":[',
    '{"a":1} {"b":2}',
    "{}\u0000",
    "   ",
  ])("%j", (text) => {
    const facts = read(text);
    expect(JSON.parse(Buffer.from(facts.text ?? "").toString())).toBe(text);
    expect(facts.sensitive).toBe(false);
  });

  test("even if its bytes are not UTF-8", () => {
    const facts = readPlainAnswer(Buffer.from([0x61, 0xff]), chatCompletions.readFacts, false);
    expect(JSON.parse(Buffer.from(facts.text ?? "").toString())).toBe("a\ufffd");
  });

  test("without its credentials, which redaction would not find within a string", () => {
    const text = '{"usage":{"prompt_tokens":7},"echo":{"token":"abc"},"choices":[{"mess';
    const facts = readPlainAnswer(Buffer.from(text), chatCompletions.readFacts, true);
    expect(facts).toMatchObject({
      truncated: true,
      complete: true,
      prompt_tokens: 7,
      sensitive: false,
    });
    expect(JSON.parse(Buffer.from(facts.text ?? "").toString())).toBe(
      text.replace("abc", "[REDACTED]"),
    );
  });
});

test("an answer is read as clients decode it", () => {
  const bytes = Buffer.concat([
    Buffer.from('\ufeff{"a":"'),
    Buffer.from([0xff]),
    Buffer.from('"}'),
  ]);
  const facts = readPlainAnswer(bytes, chatCompletions.readFacts, false);
  expect(Buffer.from(facts.text ?? "").toString()).toBe('{"a":"\ufffd"}');
});

test("an empty answer has no text", () => {
  expect(read("").text).toBeNull();
});

test("any bytes are accepted without an error and kept as JSON", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.boolean(), (bytes, truncated) => {
      const { text } = readPlainAnswer(
        bytes,
        endpointsByName[truncated ? "responses" : "chat_completions"].readFacts,
        truncated,
      );
      if (text === null) expect(bytes.length).toBe(0);
      else JSON.parse(Buffer.from(text).toString());
    }),
    { seed: 1, numRuns: 500 },
  );
});
