import { type References, referenceOf } from "./references.ts";
import { isSchema, type JsonSchema } from "./sub-schemas.ts";
import { itemSchema, typesOf, type ValueTypes } from "./value-types.ts";

/** The parameters of a query, read from the schema of an object. */
export interface QueryForm {
  readonly named: ReadonlyMap<string, QueryParameter>;
  /** The object schemas of parameters whose names are not fixed. */
  readonly others: readonly JsonSchema[];
}

export interface QueryParameter {
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** @throws TypeError a query cannot have the schema's form */
export function queryForm(references: References): QueryForm {
  const form = formOf(references.root, references, 0);
  for (const [name, { schema }] of form.named) requireText(name, schema, references);
  for (const schema of otherSchemas(form)) requireText("any", schema, references);
  return form;
}

/** The schemas of parameters whose names are not fixed. */
export function otherSchemas({ others }: QueryForm): readonly JsonSchema[] {
  return others.flatMap(({ additionalProperties, patternProperties }) =>
    [...Object.values(patternProperties ?? {}), additionalProperties].filter(isSchema),
  );
}

function formOf(schema: unknown, references: References, depth: number): QueryForm {
  if (!isSchema(schema)) return { named: new Map(), others: [] };
  if (depth > 64) throw new TypeError("The schema of a query must not consist of itself.");
  const types = typesOf(schema, references);
  if (types !== null && !types.has("object"))
    throw new TypeError(
      `A query consists of parameters: its schema must be an object's, not ${[...types].join(" or ")}.`,
    );
  const under = (part: unknown): QueryForm => formOf(part, references, depth + 1);
  const reference = referenceOf(schema);
  const all = [ownForm(schema)];
  if (reference !== null) all.push(under(references.follow(reference)));
  if (Array.isArray(schema.allOf)) all.push(...schema.allOf.map(under));
  for (const alternatives of [schema.anyOf, schema.oneOf])
    if (Array.isArray(alternatives))
      all.push(
        merged(alternatives.filter((part) => isObject(part, references)).map(under), "anyOf"),
      );
  return merged(
    all.filter((form) => form.named.size > 0 || form.others.length > 0),
    "allOf",
  );
}

function isObject(schema: unknown, references: References): boolean {
  return typesOf(schema, references)?.has("object") ?? true;
}

function ownForm(schema: JsonSchema): QueryForm {
  const { properties, required, propertyNames, additionalProperties, patternProperties } = schema;
  const listed =
    isSchema(propertyNames) && Array.isArray(propertyNames.enum) ? propertyNames.enum : [];
  const given = Object.entries(properties ?? {});
  const names = Array.isArray(required) ? required : [];
  const named = [...listed.map((name) => [String(name), additionalProperties] as const), ...given];
  const isOpen =
    isSchema(additionalProperties) &&
    (given.length === 0 || Object.keys(additionalProperties).length > 0);
  return {
    named: new Map(
      named.map(([name, part]) => [
        name,
        { schema: isSchema(part) ? part : {}, isRequired: names.includes(name) },
      ]),
    ),
    others:
      listed.length === 0 && (isOpen || patternProperties !== undefined)
        ? [
            {
              type: "object",
              ...(isOpen && { additionalProperties }),
              ...(patternProperties !== undefined && { patternProperties }),
            },
          ]
        : [],
  };
}

/** @param how whether all of the forms apply, or any one */
function merged(forms: readonly QueryForm[], how: "allOf" | "anyOf"): QueryForm {
  const names = new Set(forms.flatMap(({ named }) => [...named.keys()]));
  const named = [...names].map((name) => {
    const found = forms.flatMap((form) => form.named.get(name) ?? []);
    const isRequired =
      how === "allOf"
        ? found.some((one) => one.isRequired)
        : found.length === forms.length && found.every((one) => one.isRequired);
    return [
      name,
      {
        schema: joined(
          found.map(({ schema }) => schema),
          how,
        ),
        isRequired,
      },
    ] as const;
  });
  return { named: new Map(named), others: forms.flatMap(({ others }) => others) };
}

/** One schema for several. */
export function joined(schemas: readonly JsonSchema[], how: "allOf" | "anyOf"): JsonSchema {
  const texts = schemas.map((schema) => JSON.stringify(schema));
  const distinct = schemas.filter((_schema, index) => texts.indexOf(texts[index] ?? "") === index);
  const [first = {}, ...more] = distinct;
  return more.length === 0 ? first : { [how]: distinct };
}

/** @throws TypeError a parameter cannot be written in a query */
function requireText(name: string, schema: unknown, references: References): void {
  const types = typesOf(schema, references);
  const item = types?.has("array") ? typesOf(itemSchema(schema, 0, references), references) : null;
  if (isText(types) || (types?.has("array") === true && isText(item))) return;
  throw new TypeError(
    `The query parameter '${name}' cannot be ${[...(item ?? types ?? [])].join(" or ")}${item === null ? "" : " in a list"}: a query has strings, numbers, booleans, and lists of them.`,
  );
}

function isText(types: ValueTypes): boolean {
  return (
    types === null || ["string", "number", "integer", "boolean"].some((type) => types.has(type))
  );
}
