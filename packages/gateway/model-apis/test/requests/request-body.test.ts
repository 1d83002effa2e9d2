import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidRequest } from "../../src/api-error.ts";
import { endpointsByName } from "../../src/endpoints.ts";
import { beginsLike, canGoOn, readRequestBody } from "../../src/requests/request-body.ts";
import { draws, jsonValue, write } from "../json/arbitrary-json.ts";

function read(text: string, endpoint: "chat_completions" | "responses" = "chat_completions") {
  return readRequestBody(Buffer.from(text), endpointsByName[endpoint].history);
}

function refusal(text: string, endpoint: "chat_completions" | "responses" = "chat_completions") {
  try {
    read(text, endpoint);
  } catch (error) {
    if (error instanceof InvalidRequest) return error;
    throw error;
  }
  throw new Error(`not refused: ${text}`);
}

describe("what routing reads", () => {
  test("model, stream and the history, with where they are", () => {
    const text = ' {"stream" : true,"model": "m\\u00e9/\\"1\\"" , "messages":[{"a":1}],"n":2}\n';
    const body = read(text);
    expect(body.model).toBe('mé/"1"');
    expect(body.stream).toBe(true);
    expect(text.slice(body.model_start, body.model_end)).toBe('"m\\u00e9/\\"1\\""');
    expect(text.slice(body.messages_start, body.messages_end)).toBe('[{"a":1}]');
    expect(body.bytes.toString()).toBe(text);
    expect(body.sensitive).toBe(false);
  });

  test("the history of responses is their input", () => {
    const text = '{"model":"m","messages":1,"input":"hello"}';
    const body = read(text, "responses");
    expect(text.slice(body.messages_start, body.messages_end)).toBe('"hello"');
  });

  test("a missing history has no offsets", () => {
    const body = read('{"model":"m"}');
    expect([body.messages_start, body.messages_end, body.stream]).toEqual([0, 0, false]);
  });

  test.each([
    ["true", true],
    ["false", false],
    ["null", false],
  ])("stream %s", (written, stream) => {
    expect(read(`{"model":"m","stream":${written} }`).stream).toBe(stream);
  });

  test("an escaped name counts", () => {
    expect(read('{"mo\\u0064el":"m","\\u0073tream":true}')).toMatchObject({
      model: "m",
      stream: true,
    });
  });

  test("nested names are never taken for routing keys", () => {
    const text = '{"a":{"model":"x","stream":1},"model":"m","messages":[{"MODEL":1,"model":2}]}';
    expect(read(text)).toMatchObject({ model: "m", stream: false });
  });

  test("credentials anywhere make the body sensitive", () => {
    expect(read('{"model":"m","tools":[{"headers":{"Authorization":"x"}}]}').sensitive).toBe(true);
  });

  test("offsets are in bytes", () => {
    const body = read('{"ключ":"значение","model":"модель"}');
    expect(body.bytes.toString("utf8", body.model_start, body.model_end)).toBe('"модель"');
    expect(body.model).toBe("модель");
  });
});

test("a JSON object with a model is never refused", () => {
  const members = fc.dictionary(fc.string({ unit: "binary" }), jsonValue);
  fc.assert(
    fc.property(members, jsonValue, draws, (others, messages, draw) => {
      const ordinary = Object.entries(others).filter(
        ([name]) => !/^(model|stream|messages)$/iu.test(name),
      );
      const value = { ...Object.fromEntries(ordinary), model: "m\u2028/x", stream: true, messages };
      const text = write(value, draw);
      const body = read(text);
      expect(body).toMatchObject({ model: "m\u2028/x", stream: true });
      const history = body.bytes.toString("utf8", body.messages_start, body.messages_end);
      expect(JSON.stringify(JSON.parse(history))).toBe(JSON.stringify(messages));
    }),
    { seed: 1, numRuns: 300 },
  );
});

describe("refused with 400", () => {
  test.each([
    ["", "empty", 0],
    [" \n", "empty", 2],
    ["\ufeff{}", "byte order mark", 0],
    ["[1]", "kind array", 0],
    [' "x"', "kind string", 1],
    ["12", "kind number", 0],
    ["null", "kind literal", 0],
    ["<html>", "not JSON", 0],
    ['{"model":"m"', "text ends", 12],
    ['{"model":"m}', "unterminated string", 9],
    ['{"model":"m"} x', "'x'", 14],
    ['{"model":"m","a":[1}', "'}'", 19],
    ['{"model":"m","a" 1}', "':'", 17],
    ['{"model":"m",}', "'}'", 13],
    ['{"model":"m","a":\u0007}', "0x07", 17],
  ])("%j: says %s and byte %i", (text, what, offset) => {
    const { message, param } = refusal(text);
    expect(param).toBeNull();
    expect(message).toContain(what);
    expect(message).toMatch(new RegExp(`byte ${offset}\\b`));
  });

  test.each([
    ["{}", "model"],
    ['{"Messages":[],"model":"m"}', "messages"],
    ['{"model":""}', "model"],
    ['{"model":null}', "model"],
    ['{"model":5}', "model"],
    ['{"model":"a\\x"}', "model"],
    ['{"model":{"model":"m"}}', "model"],
    ['{"model":"m","stream":1}', "stream"],
    ['{"model":"m","stream":"true"}', "stream"],
    ['{"model":"m","stream":truex}', "stream"],
    ['{"model":"a","model":"a"}', "model"],
    ['{"model":"a","mode\\u006C":"b"}', "model"],
    ['{"model":"a","Model":"b"}', "model"],
    ['{"MODEL":"a"}', "model"],
    ['{"model":"a","\\u004Dodel":"b"}', "model"],
    ['{"model":"a","\u017ftream":true}', "stream"],
    ['{"model":"a","\\u017ftream":true}', "stream"],
    ['{"model":"a","stream":null,"stream":true}', "stream"],
    ['{"model":"a","messages":[],"messages":[]}', "messages"],
    ['{"model":"a","me\u017f\u017fages":[]}', "messages"],
  ])("%s for %s", (text, param) => {
    expect(refusal(text)).toMatchObject({ name: "InvalidRequest", param });
  });

  test("another endpoint's history member is an ordinary member", () => {
    expect(refusal('{"model":"m","\u0131nput":1}', "responses").param).toBe("input");
    expect(read('{"model":"m","Input":1,"INPUT":2}').model).toBe("m");
    expect(read('{"model":"m","Messages":1}', "responses").model).toBe("m");
  });

  test("an invalid escape in a possible routing key", () => {
    expect(refusal('{"model":"m","\\model":"x"}').message).toContain("byte 14");
    expect(refusal('{"model":"m","mod\\u00zzel":"x"}').message).toContain("byte 17");
    expect(read('{"model":"m","x\\q":"x"}').model).toBe("m");
  });
});

test("a body nested 100,000 deep is read", () => {
  const depth = 100_000;
  const body = read(`{"model":"m","messages":${"[".repeat(depth)}${"]".repeat(depth)}}`);
  expect(body.messages_end - body.messages_start).toBe(2 * depth);
});

describe("a body that continues a known one", () => {
  const known = read(
    '{"stream":true,"model":"m","messages":[{"role":"user"},{"a":[1]}],"tools":[]}',
  );

  test.each([
    '{"stream":true,"model":"m","messages":[{"role":"user"},{"a":[1]},{"b":"]}"}],"tools":[1],"x":2}',
    '{"stream":true,"model":"m","messages":[{"role":"user"},{"a":[1]} , {"b":1} ] }',
    '{"stream":true,"model":"m","messages":[{"role":"user"},{"a":[1]}]}',
    '{"stream":true,"model":"m","messages":[{"role":"user"},{"a":[1]},{"token":"secret"}]}',
  ])("is read as it would be alone: %s", (text) => {
    const bytes = Buffer.from(text);
    expect(beginsLike(bytes, known)).toBe(true);
    expect(readRequestBody(bytes, "messages", known)).toEqual(read(text));
  });

  test.each([
    '{"stream":true,"model":"m","messages":[{"role":"user"},{"a":[1]},{"b":1}],"model":"m"}',
    '{"stream":true,"model":"m","messages":[{"role":"user"},{"a":[1]},{"b":1}],"messages":[]}',
    '{"stream":true,"model":"m","messages":[{"role":"user"},{"a":[1]},{"b":1}],"stream":false}',
    '{"stream":true,"model":"m","messages":[{"role":"user"},{"a":[1]},{"b":1}',
    '{"stream":true,"model":"m","messages":[{"role":"user"},{"a":[1]}x]}',
  ])("is refused as it would be alone: %s", (text) => {
    const bytes = Buffer.from(text);
    const refused = (): unknown => readRequestBody(bytes, "messages", known);
    expect(refused).toThrow(refusal(text).message);
  });

  test("names may be on either side of the messages", () => {
    const before = read('{"messages":[{"a":1}],"model":"m","stream":true}');
    const text = '{"messages":[{"a":1},{"b":2}],"stream":false,"model":"other"}';
    expect(readRequestBody(Buffer.from(text), "messages", before)).toEqual(read(text));
  });

  test("only messages that end in an object can be continued", () => {
    expect(canGoOn(known)).toBe(true);
    for (const messages of ["[]", "[1]", '["a"]', "[{} ]", '"text"', "{}"])
      expect(canGoOn(read(`{"model":"m","messages":${messages}}`)), messages).toBe(false);
    expect(canGoOn(read('{"model":"m"}'))).toBe(false);
  });

  test("any body is read the same, wherever the known one ended", () => {
    const message = jsonValue.map((value) => JSON.stringify({ value }));
    const property = fc.property(
      fc.array(message, { minLength: 1, maxLength: 5 }),
      fc.array(message, { maxLength: 5 }),
      fc.boolean(),
      (first, more, isModelFirst) => {
        const bodyOf = (messages: readonly string[]): Buffer => {
          const history = `"messages":[${messages.join()}]`;
          const rest = '"model":"m"';
          return Buffer.from(`{${isModelFirst ? `${rest},${history}` : `${history},${rest}`}}`);
        };
        const earlier = readRequestBody(bodyOf(first), "messages");
        const bytes = bodyOf([...first, ...more]);
        expect(beginsLike(bytes, earlier)).toBe(true);
        // A body known to contain no credential is not searched again.
        if (earlier.sensitive) return;
        expect(readRequestBody(bytes, "messages", earlier)).toEqual(
          readRequestBody(bytes, "messages"),
        );
      },
    );
    fc.assert(property, { numRuns: 300, seed: 9 });
  });
});

test("a body whose path named the model need not say it, and may call anything else so", () => {
  const text = '{"model":7,"contents":[{"parts":[]}],"stream":"x"}';
  const told = { model: "policy", stream: true };
  const body = readRequestBody(Buffer.from(text), "contents", null, told);
  expect(body).toMatchObject({ ...told, model_start: 0, model_end: 0 });
  expect(text.slice(body.messages_start, body.messages_end)).toBe('[{"parts":[]}]');
});
