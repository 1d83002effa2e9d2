import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { configSchema, type JsonSchema } from "../../src/index.ts";
import { documentedKeys } from "./documented-keys.ts";

test("is valid in the draft that it names", () => {
  const ajv = new Ajv2020({ strict: false });
  expect(ajv.validateSchema(configSchema), ajv.errorsText()).toBe(true);
});

test("refuses unknown keys at every level", () => {
  const waiting: JsonSchema[] = [configSchema];
  let closed = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.properties !== undefined) {
      expect(next.additionalProperties).toBe(false);
      closed++;
      waiting.push(...Object.values(next.properties));
    }
    if (next.items !== undefined) waiting.push(next.items);
    if (typeof next.additionalProperties === "object") waiting.push(next.additionalProperties);
  }
  expect(closed).toBeGreaterThan(8);
});

test("describes every key, and has a default for every optional one", () => {
  const withoutDefault: string[] = [];
  for (const [path, schema] of documentedKeys()) {
    expect(schema.description, path).toMatch(/\.$/);
    if (schema.default === undefined) withoutDefault.push(path);
  }
  expect(withoutDefault).toEqual([
    ...["llm_routes.<key>.base_url", "llm_routes.<key>.base_urls"],
    ...["llm_routes.<key>.side_calls.route", "llm_routes.<key>.side_calls.when"],
  ]);
});

test("its defaults are valid", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const [path, schema] of documentedKeys()) {
    if (schema.default === undefined) continue;
    expect(ajv.validate(schema, schema.default), path).toBe(true);
  }
});
