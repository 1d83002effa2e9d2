import { expect, test } from "vitest";
import { withMeta, withMetaText } from "../src/meta-json.ts";

test.each([
  ["{}", '{"added":1}'],
  [" {\n} ", '{"added":1}'],
  ['{"a": 9007199254740993}\n', '{"a": 9007199254740993,"added":1}'],
  ['{"a":{"b":[]} }', '{"a":{"b":[]},"added":1}'],
  ["[1]", '{"added":1}'],
  ["null", '{"added":1}'],
  ["{broken}", '{"added":1}'],
])("a member is added to %j without touching the rest", (before, after) => {
  expect(withMeta(before, { added: 1 })).toBe(after);
});

test("a member given as JSON text keeps its bytes", () => {
  const json = '{"seed": 12345678901234567890}';
  expect(withMetaText('{"a":1}', "eval", json)).toBe(`{"a":1,"eval":${json}}`);
  expect(withMetaText("{}", "eval", json)).toBe(`{"eval":${json}}`);
  expect(withMetaText("broken", "eval", json)).toBe(`{"eval":${json}}`);
});
