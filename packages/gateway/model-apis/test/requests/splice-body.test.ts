import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRequestBody } from "../../src/requests/request-body.ts";
import { type BodyChanges, createBodySplicer } from "../../src/requests/splice-body.ts";
import { draws, jsonValue, write } from "../json/arbitrary-json.ts";

type Change = Partial<BodyChanges>;

const route = (change: Change): BodyChanges => {
  return { upstream_model: null, extra_body: {}, extra_body_stream: {}, ...change };
};

function splice(text: string, change: Change): string {
  const body = readRequestBody(Buffer.from(text), "messages");
  return createBodySplicer(route(change))(body).toString();
}

describe("the very same Buffer", () => {
  test.each([[{}], [{ extra_body_stream: { stream_options: { include_usage: true } } }]])(
    "if the route changes nothing: %j",
    (change) => {
      const body = readRequestBody(Buffer.from(' {"model":"m"} '), "messages");
      expect(createBodySplicer(route(change))(body)).toBe(body.bytes);
    },
  );
});

describe("the bytes that go upstream", () => {
  test.each<[string, Change, string]>([
    [
      ' {"a":1, "model" : "m\\u0031" ,"n":1.0}\n',
      { upstream_model: 'big "one" é' },
      ' {"a":1, "model" : "big \\"one\\" é" ,"n":1.0}\n',
    ],
    [
      '{"model":"m" }',
      { extra_body: { k: [1, { a: null }] } },
      '{"model":"m","k":[1,{"a":null}] }',
    ],
    ['{"k": 1 ,"model":"m"}', { extra_body: { k: 2, l: 3 } }, '{"k": 2 ,"model":"m","l":3}'],
    [
      '{"k":1,"model":"m", "\\u006b" : {"k":9} ,"z":1,"k":3 }',
      { upstream_model: "u", extra_body: { k: 2 } },
      '{"k":2,"model":"u" ,"z":1 }',
    ],
    [
      '{"K":1,"model":"m","x":{"k":1}}',
      { extra_body: { k: 2 } },
      '{"k":2,"model":"m","x":{"k":1}}',
    ],
    [
      '{"max_tokens":1,"model":"m","Max_Tokens":99999}',
      { extra_body: { max_tokens: 64 } },
      '{"max_tokens":64,"model":"m"}',
    ],
    [
      // Characters that Go's decoder folds to a k and an s: the Kelvin sign and the long s, escaped or not.
      '{"model":"m", "\u212a": 9, "\\u017f":9,"ſ":9}',
      { extra_body: { k: 2, s: 3 } },
      '{"model":"m", "k": 2, "s":3}',
    ],
    [
      '{"model":"m","messages":[1]}',
      { extra_body: { messages: [] } },
      '{"model":"m","messages":[]}',
    ],
    [
      '{"model":"m","stream":true}',
      { extra_body: { a: 1, b: 1 }, extra_body_stream: { b: 2, c: 2 } },
      '{"model":"m","stream":true,"a":1,"b":2,"c":2}',
    ],
    [
      '{"model":"m","stream":false}',
      { extra_body: { a: 1, b: 1 }, extra_body_stream: { b: 2, c: 2 } },
      '{"model":"m","stream":false,"a":1,"b":1}',
    ],
    [
      '{"model":"m","\\q":1,"é":1}',
      { extra_body: { é: 2, __proto: 1 } },
      '{"model":"m","\\q":1,"é":2,"__proto":1}',
    ],
  ])("%s with %j", (text, change, expected) => {
    expect(splice(text, change)).toBe(expected);
  });

  test("a name such as __proto__ is an ordinary one", () => {
    const extra_body: Record<string, unknown> = JSON.parse('{"__proto__":{"a":1}}');
    expect(splice('{"model":"m"}', { extra_body })).toBe('{"model":"m","__proto__":{"a":1}}');
  });

  test("repeated members do not multiply the route's value", () => {
    const text = `{"model":"m"${',"k":1'.repeat(10_000)}}`;
    expect(splice(text, { extra_body: { k: "x".repeat(1000) } })).toBe(
      `{"model":"m","k":"${"x".repeat(1000)}"}`,
    );
  });
});

test("any body is changed exactly as the route says", () => {
  const name = fc.oneof(
    fc.constantFrom("a", "b", "c", "é", "messages"),
    fc.string({ unit: "binary" }),
  );
  const ordinary = (members: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(members).filter(([key]) => !/^(model|stream)$/iu.test(key)));
  const members = fc.dictionary(name, jsonValue).map(ordinary);
  fc.assert(
    fc.property(
      members,
      members,
      members,
      fc.boolean(),
      fc.option(fc.string({ minLength: 1 })),
      draws,
      (others, extra_body, extra_body_stream, stream, upstream_model, draw) => {
        const text = write({ ...others, model: "m", stream, tail: others }, draw);
        const fold = (key: string): string => key.toUpperCase().toLowerCase();
        const set = [
          ...Object.entries(extra_body),
          ...(stream ? Object.entries(extra_body_stream) : []),
        ];
        // Of several spellings of a name, the last one.
        const extra = new Map(set.map(([key, value]) => [fold(key), [key, value] as const]));
        const rest = Object.entries<unknown>(JSON.parse(text)).filter(
          ([key]) => !extra.has(fold(key)),
        );
        const expected = {
          ...Object.fromEntries(rest),
          ...(upstream_model === null ? {} : { model: upstream_model }),
          ...Object.fromEntries(extra.values()),
        };
        const spliced: unknown = JSON.parse(
          splice(text, { upstream_model, extra_body, extra_body_stream }),
        );
        expect(spliced).toEqual(JSON.parse(JSON.stringify(expected)));
      },
    ),
    { seed: 1, numRuns: 300 },
  );
});
