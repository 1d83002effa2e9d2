import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { scope } from "arktype";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import { operation, resource, type StandardSchema } from "../../src/index.ts";
import { type OpenApiDocument, openApiDocument } from "../../src/openapi.ts";
import { readDocument } from "./read-document.ts";

const options = { title: "Trees", version: "1.0.0" };

const Item = z.object({ name: z.string(), size: z.number().default(1) }).meta({ id: "Item" });
const ZodTree = z.object({
  name: z.string(),
  get kids() {
    return z.array(ZodTree);
  },
});
const NamedTree = z
  .object({
    item: Item,
    get kids() {
      return z.array(NamedTree);
    },
  })
  .meta({ id: "Tree" });
type ValibotTree = { name: string; kids: ValibotTree[] };
const ValibotTree: v.GenericSchema<ValibotTree> = v.object({
  name: v.string(),
  kids: v.array(v.lazy(() => ValibotTree)),
});
const arktypes = scope({ tree: { name: "string", kids: "tree[]" } }).export();

test.each<readonly [string, StandardSchema, readonly string[]]>([
  ["zod, named", z.array(Item), ["Item", "ItemInput"]],
  ["zod, recursive as a whole", ZodTree, ["trees.index.result", "trees.create.body"]],
  [
    "zod, recursive in a part",
    z.object({ tree: ZodTree }),
    ["trees.index.result", "trees.create.body"],
  ],
  ["zod, recursive and named", NamedTree, ["Item", "Tree", "ItemInput", "TreeInput"]],
  ["valibot, recursive", toStandardJsonSchema(ValibotTree), ["trees.index.result"]],
  ["arktype, recursive", arktypes.tree, ["trees.index.result", "trees.index.resultOutput"]],
])("definitions become components: %s", async (_library, schema, names) => {
  const document = openApiDocument(
    [
      resource("trees", {
        index: operation({ result: schema }, () => []),
        create: operation({ body: schema, result: schema }, () => 1),
      }),
    ],
    options,
  );
  await readDocument(document);
  expect(Object.keys(document.components.schemas).sort()).toEqual(["Problem", ...names].sort());
  expect(referencesIn(document).length).toBeGreaterThan(0);
  for (const reference of referencesIn(document))
    expect(Object.keys(document.components.schemas)).toContain(
      reference.replace("#/components/schemas/", ""),
    );
});

test("one definition of two schemas is one component; two of one name are two", async () => {
  const other = z.object({ other: z.string() }).meta({ id: "Other" });
  const sameName = withJsonSchema({
    $ref: "#/$defs/Other",
    $defs: { Other: { type: "integer" } },
  });
  const document = openApiDocument(
    [
      resource("a", { index: operation({ result: z.array(other) }, () => []) }),
      resource("b", { find: operation({ result: other }, () => 1) }),
      resource("c", { find: operation({ result: sameName }, () => 1) }),
    ],
    options,
  );
  await readDocument(document);
  expect(document.components.schemas).toMatchObject({
    Other: { type: "object" },
    OtherOutput: { type: "integer" },
  });
  expect(referencesIn(document)).toHaveLength(3);
});

test("references by anchor, id and pointer lead to components", async () => {
  const schema = withJsonSchema({
    $id: "https://schemas.example/whole",
    type: "object",
    properties: {
      anchored: { $ref: "#anchored" },
      identified: { $ref: "https://schemas.example/part" },
      whole: { $ref: "https://schemas.example/whole#" },
      deep: { $ref: "#/$defs/a~1b/properties/x%20y" },
      inside: { $ref: "#/properties/deep" },
    },
    $defs: {
      Anchored: { $anchor: "anchored", type: "integer" },
      Part: { $id: "https://schemas.example/part", type: "boolean" },
      "a/b": { type: "object", properties: { "x y": { type: "null" } } },
    },
  });
  const document = openApiDocument(
    [resource("a", { find: operation({ result: schema }, () => 1) })],
    options,
  );
  await readDocument(document);
  const whole = "#/components/schemas/a.find.result";
  expect(document.components.schemas["a.find.result"]).toEqual({
    type: "object",
    properties: {
      anchored: { $ref: "#/components/schemas/Anchored" },
      identified: { $ref: "#/components/schemas/Part" },
      whole: { $ref: whole },
      deep: { $ref: "#/components/schemas/a_1b/properties/x%20y" },
      inside: { $ref: `${whole}/properties/deep` },
    },
  });
});

test("a reference that is data stays as it is", () => {
  const properties = {
    $ref: { type: "string", default: "#/$defs/No" },
    fixed: { const: { $ref: "#/$defs/No" }, examples: [{ $ref: "#" }] },
  };
  const result = withJsonSchema({ type: "object", properties });
  const data = resource("data", { find: operation({ result }, () => 1) });
  expect(openApiDocument([data], options).paths["/data/{id}"]).toMatchObject({
    get: { responses: { 200: { content: { "application/json": { schema: { properties } } } } } },
  });
});

test("a schema that cannot be described is an error that names its operation", () => {
  const dates = resource("dates", { find: operation({ result: z.date() }, () => 1) });
  expect(() => openApiDocument([dates], options)).toThrow("The result of 'dates.find'");
  const lost = withJsonSchema({ $ref: "#/$defs/Lost" });
  const nowhere = resource("lost", { find: operation({ result: lost }, () => 1) });
  expect(() => openApiDocument([nowhere], options)).toThrow("leads nowhere");
});

function withJsonSchema(schema: Record<string, unknown>): StandardSchema {
  const jsonSchema = { input: () => schema, output: () => schema };
  return {
    "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }), jsonSchema },
  };
}

/** Those outside of `Problem`. */
function referencesIn(document: OpenApiDocument): readonly string[] {
  const text = JSON.stringify(document);
  return [...text.matchAll(/"\$ref":"(#[^"]*)"/g)]
    .map(([, reference = ""]) => reference)
    .filter((reference) => !reference.endsWith("/Problem"));
}
