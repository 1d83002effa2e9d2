import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { createFetchRouter, operation, resource, type StandardSchema } from "../../src/fetch.ts";
import { openApiDocument } from "../../src/openapi.ts";
import { readDocument } from "./read-document.ts";

const options = { title: "Any", version: "1.0.0" };
const names = ["a", "b c", "d/e", "~f", "$ref", "__schema0", "0"];
const pointerTo = (name: string): string =>
  encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));

/** Places that every schema below has. */
const reference = fc.oneof(
  fc.constantFrom("#", "#/properties/own", "#own", "https://schemas.example/whole"),
  fc.constantFrom(...names).map((name) => `#/$defs/${pointerTo(name)}`),
  fc.constantFrom(...names).map((name) => `#/$defs/${pointerTo(name)}/properties/own`),
);
const { part } = fc.letrec<{ part: Record<string, unknown> }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom({ type: "string" }, { type: "integer", minimum: 1 }, { const: { no: "#/no" } }),
    reference.map(($ref) => ({ $ref })),
    tie("part").map((items) => ({ type: "array", items })),
    fc.array(tie("part"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  ),
}));
const object = part.map((given) => ({
  type: "object",
  properties: { own: { type: "boolean" }, given },
}));
const schema = fc.tuple(object, ...names.map(() => object)).map(([root, ...definitions]) => ({
  ...{ $id: "https://schemas.example/whole", ...root },
  $defs: {
    ...Object.fromEntries(definitions.map((definition, index) => [names[index], definition])),
    anchored: { $anchor: "own", type: "null" },
  },
}));

function describing(input: object, output: object) {
  const jsonSchema = { input: () => ({ ...input }), output: () => ({ ...output }) };
  const any: StandardSchema = {
    "~standard": { version: 1, vendor: "any", validate: (value) => ({ value }), jsonSchema },
  };
  const index = operation({ result: any }, () => []);
  const create = operation({ body: any, result: any }, () => 1);
  return openApiDocument([resource("any", { index, create })], options);
}

test("every reference of any schema leads to a place in the document", () => {
  const property = fc.property(schema, schema, (input, output) => {
    const document = describing(input, output);
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/\$defs|\$id|\$anchor/);
    for (const [, found = ""] of text.matchAll(/"\$ref":"([^"]*)"/g)) {
      const place = found
        .slice(2)
        .split("/")
        .map((token) => decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~"))
        .reduce<unknown>((at, token) => Object(at)[token], document);
      expect(place, found).toBeDefined();
    }
  });
  fc.assert(property, { numRuns: 300 });
});

test("others read such documents", async () => {
  for (const [input, output] of fc.sample(fc.tuple(schema, schema), { numRuns: 5, seed: 7 }))
    await readDocument(describing(input, output));
});

const kinds: readonly (readonly [z.ZodType, fc.Arbitrary<unknown>])[] = [
  [z.string(), fc.string()],
  [z.number(), fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)],
  [z.int(), fc.maxSafeInteger()],
  [z.boolean(), fc.boolean()],
  [z.enum(["x", "y"]), fc.constantFrom("x", "y")],
  [z.literal([1, 2]), fc.constantFrom(1, 2)],
];
const parameter = fc.constantFrom(...kinds).chain(([kind, value]) =>
  fc.oneof(
    value.map((given) => [kind, given] as const),
    fc.array(value, { minLength: 1, maxLength: 3 }).map((given) => [z.array(kind), given] as const),
  ),
);

test("what a document declares of a query is what the router takes", async () => {
  // Zod gives no member of this name, whatever it was sent.
  const name = fc.stringMatching(/^[a-z_.[\]-]{1,9}$/).filter((name) => name !== "__proto__");
  const query = fc.dictionary(name, parameter, { maxKeys: 4 });
  const property = fc.asyncProperty(query, async (parameters) => {
    const pairs = Object.entries(parameters);
    const shape = Object.fromEntries(pairs.map(([name, [kind]]) => [name, kind]));
    const snips = resource("snips", {
      index: operation({ query: z.object(shape) }, ({ input }) => [input.query]),
    });
    const { get } = Object(openApiDocument([snips], options).paths["/snips"]);
    const declared: readonly { name: string; schema: { type: string } }[] = get.parameters ?? [];
    // As OpenAPI says: a list is repeated, unless its parameter says otherwise.
    const sent = new URLSearchParams(
      declared.flatMap(({ name, schema: { type } }) => {
        const value = parameters[name]?.[1];
        const values: readonly unknown[] = type === "array" ? Object(value) : [value];
        return values.map((one): [string, string] => [name, String(one)]);
      }),
    );
    const { fetch } = createFetchRouter([snips]);
    const response = await fetch(new Request(`http://any.example/snips?${sent}`));
    const expected = Object.fromEntries(pairs.map(([name, [, value]]) => [name, value]));
    expect(await response.json()).toEqual([expected]);
  });
  await fc.assert(property, { numRuns: 300 });
});
