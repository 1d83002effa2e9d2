import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonScanner } from "../../src/json/json-scanner.ts";
import { redact } from "../../src/json/redact.ts";
import { draws, jsonValue, write } from "./arbitrary-json.ts";

function redacted(text: string): string {
  return Buffer.from(redact(Buffer.from(text))).toString();
}

/** What redaction does to a parsed value without schemas and kept keys. */
function redactValue(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(redactValue);
  const members = Object.entries(value).map(([name, item]) => {
    const plain = name.replaceAll(/[^A-Za-z0-9\u0080-\uffff]/g, "");
    const isSecret = /(authorization|apikey|token|password|secret)$/i.test(plain);
    return [name, isSecret && typeof item === "string" ? "[REDACTED]" : redactValue(item)];
  });
  return Object.fromEntries(members);
}

describe("replaced, with all other bytes unchanged", () => {
  test.each([
    ['{"api_key":"sk-1"}', '{"api_key":"[REDACTED]"}'],
    ['{ "apiKey" : "" , "n":1.0}', '{ "apiKey" : "[REDACTED]" , "n":1.0}'],
    ['{"x-api-key":"a\\"b","Token":"\\\\"}', '{"x-api-key":"[REDACTED]","Token":"[REDACTED]"}'],
    ['{"client\\u005fsecret":"é"}', '{"client\\u005fsecret":"[REDACTED]"}'],
    [
      '[[{"a":[{"Proxy-Authorization":"x"}]}],"t"]',
      '[[{"a":[{"Proxy-Authorization":"[REDACTED]"}]}],"t"]',
    ],
    [
      '{"tools":[{"type":"mcp","authorization":"x","headers":{"password":"y"}}]}',
      '{"tools":[{"type":"mcp","authorization":"[REDACTED]","headers":{"password":"[REDACTED]"}}]}',
    ],
    [
      '{"tools":[{"function":{"parameters":{"a":1}},"token":"x"}],"secret":"y"}',
      '{"tools":[{"function":{"parameters":{"a":1}},"token":"[REDACTED]"}],"secret":"[REDACTED]"}',
    ],
    [
      '{"parameters":{"token":"x"},"schema":{"token":"x"}}',
      '{"parameters":{"token":"[REDACTED]"},"schema":{"token":"[REDACTED]"}}',
    ],
    [
      '{"tools":[],"metadata":{"parameters":{"token":"x"}}}',
      '{"tools":[],"metadata":{"parameters":{"token":"[REDACTED]"}}}',
    ],
    [
      '{"usage":{"total_tokens":3,"completion_tokens_details":{"token":"x"}}}',
      '{"usage":{"total_tokens":3,"completion_tokens_details":{"token":"[REDACTED]"}}}',
    ],
  ])("%s", (text, expected) => {
    expect(redacted(text)).toBe(expected);
  });
});

describe("kept", () => {
  test.each([
    '{"max_tokens":5,"token":5,"secret":null,"password":["a"],"authorization":{"a":"b"}}',
    '{"messages":[{"role":"user","content":"{\\"password\\":\\"x\\"}"}]}',
    '{"choices":[{"logprobs":{"content":[{"token":"a","top_logprobs":[{"token":"b"}]}]}}]}',
    '{"prompt_token_ids":[{"token":"a"}],"input_tokens":{"token":"a"},"Prompt-Logprobs":[{"token":"a"}]}',
    '{"tools":[{"type":"function","function":{"parameters":{"default":{"password":"x"}}}}]}',
    '{"tools":[{"type":"function","parameters":{"examples":[{"token":"x"}]}}]}',
    '{"tools":[{"name":"a","input_schema":{"examples":[{"token":"x"}]}}]}',
    '[{"type":"mcp_list_tools","tools":[{"input_schema":{"example":{"token":"x"}}}]}]',
    '{"functions":[{"parameters":{"example":{"token":"x"}}}]}',
    '{"response_format":{"type":"json_schema","json_schema":{"schema":{"default":{"token":"x"}}}}}',
    '{"text":{"format":{"type":"json_schema","schema":{"default":{"token":"x"}}}}}',
    '{"tool_calls":[{"function":{"arguments":{"password":"x","a":[{"token":"y"}]}}}]}',
    '{"tool_calls":[{"function":{"arguments":"{\\"password\\":\\"x\\"}"}}]}',
    '"token"',
    '["token","x"]',
    "",
    "<html>\"token\": 'x'</html>",
  ])("%s returns the very same object", (text) => {
    const bytes = Buffer.from(text);
    expect(redact(bytes)).toBe(bytes);
    const plain = new Uint8Array(bytes);
    expect(redact(plain)).toBe(plain);
  });
});

test("any JSON value keeps all but its credentials", () => {
  const names = [
    "token",
    "apiKey",
    "Client-Secret",
    "passwords",
    "a",
    "to\u212aen",
    "über token",
    "token\n",
  ];
  const credentials = fc.dictionary(
    fc.oneof(fc.constantFrom(...names), fc.string({ unit: "binary" })),
    fc.oneof(fc.string({ unit: "binary" }), jsonValue),
  );
  let replaced = 0;
  fc.assert(
    fc.property(fc.array(credentials), jsonValue, draws, (objects, other, draw) => {
      const text = write([objects, { other, objects }], draw);
      const expected = JSON.stringify(redactValue(JSON.parse(text)));
      const scanner = new JsonScanner(Buffer.from(text));
      scanner.skipValue();
      if (redacted(text) !== text) {
        replaced++;
        expect(scanner.sensitive).toBe(true);
      }
      expect(JSON.stringify(JSON.parse(redacted(text)))).toBe(expected);
      expect(redacted(redacted(text))).toBe(redacted(text));
    }),
    { seed: 1, numRuns: 500 },
  );
  expect(replaced).toBeGreaterThan(50);
});

describe("text that was cut or is not JSON", () => {
  test("a cut value is replaced up to the end", () => {
    expect(redacted('{"a":1,"api_key":"sk-12')).toBe('{"a":1,"api_key":"[REDACTED]');
    expect(redacted('{"a":1,"api_key":"sk\\"')).toBe('{"a":1,"api_key":"[REDACTED]');
    expect(redacted('{"a":1,"api_key":"')).toBe('{"a":1,"api_key":"[REDACTED]');
  });

  test("no cut lets a byte of a credential through", () => {
    const text =
      '{"a":[{"b":"\\\\\\"","logprobs":[{"token":"t"}]}],"password":"hunter2\\"hunter2","c":"d"}';
    for (let length = 0; length <= text.length; length++) {
      const cut = redacted(text.slice(0, length));
      expect(cut).not.toContain("h");
      const known = '{"a":[{"b":"\\\\\\"","logprobs":[{"token":"t"}]}],"password":"';
      expect(cut.startsWith(known.slice(0, length))).toBe(true);
    }
  });

  test("the parts that can be followed are redacted", () => {
    expect(redacted('data: {"token":"x"}\n\n]]}} {"a" "token" : "y", [')).toBe(
      'data: {"token":"[REDACTED]"}\n\n]]}} {"a" "token" : "[REDACTED]", [',
    );
  });

  test("any bytes are accepted without an error", () => {
    const pieces = [
      '"',
      "\\",
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      '"token"',
      '"tools"',
      '"tokens"',
      "\xff",
      " ",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        const result = Buffer.from(redact(Buffer.from(text, "latin1"))).toString("latin1");
        if (!result.includes("[REDACTED]")) expect(result).toBe(text);
      }),
      { seed: 1, numRuns: 1000 },
    );
  });

  test("100,000 levels are followed, in kept parts and elsewhere", () => {
    const deep = '{"a":['.repeat(50_000);
    const end = '{"token":"x"}';
    expect(redacted(deep + end)).toBe(`${deep}{"token":"[REDACTED]"}`);
    expect(redacted(`{"logprobs":${deep}${end}`)).toBe(`{"logprobs":${deep}${end}`);
  });
});
