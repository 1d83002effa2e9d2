import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import { createFetchRouter, operation, resource, type StandardSchema } from "../../src/fetch.ts";
import { openApiDocument } from "../../src/openapi.ts";
import { readDocument } from "./read-document.ts";

const options = { title: "Snips", version: "1.0.0" };

function listing(query: StandardSchema) {
  return resource("snips", { index: operation({ query }, ({ input }) => [input.query]) });
}

/** The schema's output for a query; null: it was refused. */
async function outputOf(schema: StandardSchema, query: string): Promise<unknown> {
  const { fetch } = createFetchRouter([listing(schema)]);
  const response = await fetch(new Request(`http://any.example/snips?${query}`));
  if (response.status === 422) return null;
  const [output] = JSON.parse(await response.text());
  return output;
}

async function parametersOf(schema: StandardSchema): Promise<unknown> {
  const document = openApiDocument([listing(schema)], options);
  await readDocument(document);
  return Object(document.paths["/snips"]?.get).parameters;
}

const lists: readonly (readonly [string, StandardSchema])[] = [
  ["zod", z.object({ tags: z.array(z.string()), sort: z.string().optional() })],
  [
    "zod without JSON Schema",
    z.object({ tags: z.array(z.string()), at: z.coerce.date().optional() }),
  ],
  ["valibot", v.object({ tags: v.array(v.string()), sort: v.optional(v.string()) })],
  ["valibot with JSON Schema", toStandardJsonSchema(v.object({ tags: v.array(v.string()) }))],
  ["arktype", type({ tags: "string[]", "sort?": "string" })],
];

test.each(lists)("%s: a list has one or more values", async (_library, schema) => {
  expect(await outputOf(schema, "tags=a")).toEqual({ tags: ["a"] });
  expect(await outputOf(schema, "tags=a&tags=b")).toEqual({ tags: ["a", "b"] });
  expect(await outputOf(schema, "")).toBeNull();
});

const unions = [
  ["zod", z.union([z.object({ a: z.string() }), z.object({ b: z.array(z.string()) })])],
  [
    "zod, told apart",
    z.discriminatedUnion("k", [
      z.object({ k: z.literal("a"), a: z.string() }),
      z.object({ k: z.literal("b"), b: z.array(z.string()) }),
    ]),
  ],
  ["arktype", type({ a: "string" }).or({ b: "string[]" })],
  [
    "valibot",
    toStandardJsonSchema(
      v.union([v.object({ a: v.string() }), v.object({ b: v.array(v.string()) })]),
    ),
  ],
] as const;

test.each(unions)("%s: a union has the parameters of all", async (_library, schema) => {
  expect(await parametersOf(schema)).toEqual(
    expect.arrayContaining([
      { name: "a", in: "query", required: false, schema: { type: "string" } },
      {
        name: "b",
        in: "query",
        required: false,
        schema: { type: "array", items: { type: "string" } },
      },
    ]),
  );
  expect(await outputOf(schema, "k=b&b=x")).toMatchObject({ b: ["x"] });
  expect(await outputOf(schema, "k=a&a=x")).toMatchObject({ a: "x" });
});

test.each<readonly [string, StandardSchema, StandardSchema]>([
  ["zod", z.record(z.string(), z.string()), z.record(z.string(), z.array(z.string()))],
  ["arktype", type({ "[string]": "string" }), type({ "[string]": "string[]" })],
  [
    "valibot",
    toStandardJsonSchema(v.record(v.string(), v.string())),
    toStandardJsonSchema(v.record(v.string(), v.array(v.string()))),
  ],
])("%s: a record has any parameters", async (_library, texts, textLists) => {
  expect(await parametersOf(texts)).toEqual(
    [
      {
        ...{ name: "parameters", in: "query", style: "form", explode: true },
        schema: { type: "object", additionalProperties: { type: "string" } },
      },
    ].map((parameter) => expect.objectContaining(parameter)),
  );
  expect(await outputOf(texts, "a=1&b=2")).toEqual({ a: "1", b: "2" });
  expect(await outputOf(textLists, "a=1&b=2&b=3")).toEqual({ a: ["1"], b: ["2", "3"] });
});

test("a record of named keys has a parameter for each; an intersection those of all its parts", async () => {
  const named = z.record(z.enum(["a", "b"]), z.string());
  expect(await parametersOf(named)).toMatchObject([{ name: "a", required: true }, { name: "b" }]);
  const both = z.object({ a: z.string() }).and(z.object({ b: z.array(z.string()) }));
  expect(await parametersOf(both)).toMatchObject([{ name: "a" }, { name: "b", required: true }]);
  expect(await outputOf(both, "a=1&b=2")).toEqual({ a: "1", b: ["2"] });
});

test("definitions of a query's schema become components", async () => {
  const Tags = z.array(z.string()).meta({ id: "Tags" });
  const schema = z.object({ tags: Tags, more: Tags.optional() });
  expect(await parametersOf(schema)).toMatchObject([
    { name: "tags", schema: { $ref: "#/components/schemas/Tags" } },
    { name: "more", required: false },
  ]);
  expect(await outputOf(schema, "tags=a&more=b")).toEqual({ tags: ["a"], more: ["b"] });
});

test("what is declared as a number or a boolean becomes one, without the loss of a digit", async () => {
  const schema = z.object({
    size: z.number().optional(),
    ids: z.array(z.int()).optional(),
    pair: z.tuple([z.number(), z.string()]).optional(),
    all: z.boolean().optional(),
    flag: z.coerce.boolean().optional(),
    text: z.union([z.string(), z.number()]).optional(),
    oneOrMore: z.union([z.number(), z.array(z.number())]).optional(),
  });
  expect(
    await outputOf(schema, "size=1.5&ids=7&pair=1&pair=2&all=false&flag=false&text=7"),
  ).toEqual({
    ...{ size: 1.5, ids: [7], pair: [1, "2"], all: false, flag: false, text: "7" },
  });
  expect(await outputOf(schema, "ids=1&ids=2&oneOrMore=3")).toEqual({ ids: [1, 2], oneOrMore: 3 });
  expect(await outputOf(schema, "oneOrMore=3&oneOrMore=4")).toEqual({ oneOrMore: [3, 4] });
  for (const refused of ["size=x", "size=", "size=9007199254740993", "size=0x10", "all=1"])
    expect(await outputOf(schema, refused)).toBeNull();
});

test("without JSON Schema, the refusal is about what was sent", async () => {
  const schema = v.object({ size: v.pipe(v.string(), v.minLength(2)), tags: v.array(v.string()) });
  const { fetch } = createFetchRouter([listing(schema)]);
  const response = await fetch(new Request("http://any.example/snips?size=1&tags=a"));
  expect(await response.json()).toMatchObject({
    errors: [{ parameter: "size", detail: expect.stringContaining("length") }],
  });
});

test.each<readonly [string, StandardSchema, string]>([
  ["a text", z.string(), "must be an object's"],
  ["a list", type("string[]"), "must be an object's"],
  ["a union of texts", z.union([z.string(), z.number()]), "must be an object's"],
  ["an object in an object", z.object({ filter: z.object({ a: z.string() }) }), "'filter'"],
  ["a list of objects", type({ filters: type({ a: "string" }).array() }), "'filters'"],
  ["a record of objects", z.record(z.string(), z.object({})), "'any'"],
])("a query that is %s is an error when it is registered", (_what, schema, message) => {
  expect(() => operation({ query: schema }, () => 1)).toThrow(TypeError);
  expect(() => operation({ query: schema }, () => 1)).toThrow(message);
});

test("a query whose JSON Schema is made elsewhere is refused when the document is made", () => {
  const index = operation({ query: v.object({ filter: v.object({}) }) }, () => []);
  const toJsonSchema = () => ({
    type: "object",
    properties: { filter: { type: "object" } },
  });
  expect(() =>
    openApiDocument([resource("snips", { index })], { ...options, toJsonSchema }),
  ).toThrow("The query of 'snips.index': The query parameter 'filter'");
});
