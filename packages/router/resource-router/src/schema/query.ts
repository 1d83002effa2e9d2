import { joined, otherSchemas, queryForm } from "../json-schema/query-form.ts";
import { References } from "../json-schema/references.ts";
import type { JsonSchema } from "../json-schema/sub-schemas.ts";
import { itemSchema, typesOf, type ValueTypes } from "../json-schema/value-types.ts";
import { type Issue, keyOf, type StandardSchema, type Validation } from "./standard-schema.ts";

type Validate = StandardSchema["~standard"]["validate"];

/**
 * Validates queries. A query has only texts, and a list of one looks like a text: what the schema's JSON Schema declares
 * as a list, a number or a boolean becomes one first. Without a JSON Schema, a text that is refused is tried as a list.
 * @throws TypeError a query cannot have the schema's form
 */
export function queryValidation(
  schema: StandardSchema,
): (query: URLSearchParams) => Promise<Validation<unknown>> {
  const { validate } = schema["~standard"];
  const references = referencesOf(schema);
  if (references === null) return (query) => validateTexts(validate, textsOf(query));
  const form = queryForm(references);
  const named = new Map(
    [...form.named].map(([name, parameter]) => [name, readerOf(parameter.schema, references)]),
  );
  const other = readerOf(joined(otherSchemas(form), "anyOf"), references);
  return async (query) =>
    validate(
      Object.fromEntries(
        textsOf(query).map(([name, texts]) => [name, (named.get(name) ?? other)(texts)]),
      ),
    );
}

/** Null: the library has no JSON Schema, or none for this schema. */
function referencesOf(schema: StandardSchema): References | null {
  const { jsonSchema } = schema["~standard"];
  try {
    const input = jsonSchema?.input({ target: "draft-2020-12" });
    return input === undefined ? null : new References(input);
  } catch {
    return null;
  }
}

function textsOf(query: URLSearchParams): (readonly [name: string, texts: readonly string[]])[] {
  return [...new Set(query.keys())].map((name) => [name, query.getAll(name)]);
}

function readerOf(
  schema: JsonSchema,
  references: References,
): (texts: readonly string[]) => unknown {
  const types = typesOf(schema, references);
  return (texts) => {
    const [text = ""] = texts;
    const value = typed(text, types);
    const isList = types?.has("array") === true;
    const isValue = !isList || types.has("string") || value !== text;
    if (texts.length === 1 && isValue) return value;
    return texts.map((one, index) =>
      typed(one, isList ? typesOf(itemSchema(schema, index, references), references) : null),
    );
  };
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** A text as a value of one of these types; a text that is none of them stays one. */
function typed(text: string, types: ValueTypes): unknown {
  if (types === null || types.has("string")) return text;
  if ((types.has("number") || types.has("integer")) && number.test(text)) {
    const value = Number(text);
    // No digit of a whole number may be lost.
    return /[.e]/i.test(text) || String(value) === text ? value : text;
  }
  const isFlag = types.has("boolean") && (text === "true" || text === "false");
  return isFlag ? text === "true" : text;
}

async function validateTexts(
  validate: Validate,
  texts: readonly (readonly [name: string, texts: readonly string[]])[],
): Promise<Validation<unknown>> {
  const withLists = (
    names: ReadonlySet<string>,
  ): Validation<unknown> | Promise<Validation<unknown>> =>
    validate(
      Object.fromEntries(
        texts.map(([name, values]) =>
          values.length === 1 && !names.has(name) ? [name, values[0]] : [name, values],
        ),
      ),
    );
  const first = await withLists(new Set());
  const refused = refusedNames(first.issues);
  if (refused.size === 0) return first;
  const stillRefused = refusedNames((await withLists(refused)).issues);
  const lists = new Set([...refused].filter((name) => !stillRefused.has(name)));
  return lists.size === 0 ? first : withLists(lists);
}

/** The parameters that are refused as a whole, not for one of their items. */
function refusedNames(issues: readonly Issue[] = []): Set<string> {
  const paths = issues.map(({ path = [] }) => path.map(keyOf));
  return new Set(paths.flatMap(([name, ...below]) => (name && below.length === 0 ? [name] : [])));
}
