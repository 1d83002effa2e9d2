import { expect, test } from "vitest";
import { ConfigError, ConfigReader, type JsonSchema } from "../../src/configuration/index.ts";

const schema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["shape"],
  properties: {
    shape: {
      type: "object",
      discriminator: { propertyName: "kind" },
      required: ["kind"],
      oneOf: [
        {
          properties: { kind: { const: "circle" }, radius: { type: "number" } },
          required: ["radius"],
        },
        { properties: { kind: { const: "square" }, side: { type: "number" } }, required: ["side"] },
      ],
    },
    paint: { type: "string", enum: ["red", "green"], meant: { crimson: "red" } },
    password: { type: "string", pattern: "^[a-z]{4}$", expected: "four letters" },
  },
};

const reader = new ConfigReader({
  schema,
  secrets: ["password"],
  *rules(file, values) {
    yield {
      path: ["paint"],
      message: `is ${values.describe(["paint"], Reflect.get(Object(file), "paint"))}`,
    };
  },
});

function issuesOf(text: string, env: Readonly<Record<string, string>> = {}): string[] {
  try {
    reader.parse(text, "f", env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split("\n").slice(1);
    throw error;
  }
  return [];
}

test("a member selects one of several forms, and only that form's errors are reported", () => {
  expect(issuesOf("shape: { kind: circle }")).toContain("  1:1 shape.radius: is required");
  expect(issuesOf("shape: { kind: oval }")).toContain(
    '  1:10 shape.kind: expected "circle" or "square", found "oval"',
  );
  expect(issuesOf("shape: {}")).toContain("  1:1 shape.kind: is required");
});

test("a word that people write for a known one gets a suggestion", () => {
  expect(issuesOf("shape: { kind: square, side: 1 }\npaint: crimson")).toEqual([
    '  2:1 paint: expected "red" or "green", found "crimson"; did you mean "red"?',
  ]);
});

test("a pattern's requirement is given in words, and a secret is never shown", () => {
  const [issue, ...others] = issuesOf(
    "password: hidden-word\nshape: { kind: square, side: 1 }\npaint: red",
  );
  expect(issue).toBe("  1:1 password: expected four letters, found a string");
  expect(others).toEqual(['  3:1 paint: is "red"']);
});

test("a variable's value is not shown either", () => {
  const issues = issuesOf(`shape: { kind: square, side: 1 }\npaint: \${PAINT}`, {
    PAINT: "hidden",
  });
  expect(issues).toEqual(['  2:1 paint: expected "red" or "green", found the value of PAINT']);
});

test("keys that appear twice hide no other error", () => {
  expect(issuesOf("paint: red\npaint: blue\nshape: { kind: square }")).toEqual([
    "  2:1 the key paint appears twice",
    '  2:1 paint: expected "red" or "green", found "blue"',
    "  3:1 shape.side: is required",
  ]);
});
