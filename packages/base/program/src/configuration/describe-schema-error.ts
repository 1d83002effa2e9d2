import type { DefinedError } from "ajv/dist/2020.js";
import { closestNames } from "./closest-names.ts";
import type { ConfigFormat } from "./config-format.ts";
import { describeTypes, type FoundValues } from "./found-values.ts";
import type { JsonSchema } from "./json-schema.ts";
import { formatKeyPath, fromPointer, type KeyPath, valueAt } from "./key-path.ts";
import type { PathIssue } from "./references.ts";

/** Describes a validator's error in the file's terms; null if another error says the same better. */
export function describeSchemaError(
  error: DefinedError,
  format: ConfigFormat,
  values: FoundValues,
): PathIssue | null {
  const path = fromPointer(error.instancePath);
  const issue = (message: string): PathIssue => ({ path, message });
  const found = (): string => `found ${values.describe(path, error.data)}`;
  const own = format.describe?.(error);
  if (own !== undefined) return own === null ? null : issue(own);
  switch (error.keyword) {
    case "additionalProperties": {
      const unknown = [...path, error.params.additionalProperty];
      return {
        path: unknown,
        message: `is not a known key${probableKey(unknown, error, format.schema)}`,
      };
    }
    case "required":
      return { path: [...path, error.params.missingProperty], message: "is required" };
    case "type":
      return issue(describeTypeError(path, error, values));
    case "enum":
      return issue(`expected ${namesOf(error.params.allowedValues)}, ${found()}${meantBy(error)}`);
    case "const":
      return null;
    case "discriminator": {
      const tag = [...path, error.params.tag];
      const tags = tagsOf(error.parentSchema, error.params.tag);
      const shown = values.describe(tag, error.params.tagValue ?? null);
      return { path: tag, message: `expected ${namesOf(tags)}, found ${shown}` };
    }
    case "pattern": {
      const expected = valueAt(error.parentSchema, "expected");
      return issue(`expected ${expected ?? `the form ${error.params.pattern}`}, ${found()}`);
    }
    case "minimum":
      return issue(`expected at least ${error.params.limit}, ${found()}`);
    case "exclusiveMinimum":
      return issue(`expected more than ${error.params.limit}, ${found()}`);
    case "maximum":
      return issue(`expected at most ${error.params.limit}, ${found()}`);
    case "minLength":
    case "minItems":
    case "minProperties":
      return { path: subjectPath(path, error), message: "must not be empty" };
    case "maxLength":
      return {
        path: subjectPath(path, error),
        message: `may have at most ${error.params.limit} characters`,
      };
    case "format":
      return describeFormatError(path, error, format, values);
    case "propertyNames":
      return null;
    default:
      return issue(error.message ?? `does not satisfy ${error.keyword}`);
  }
}

/** A rule about a key's name concerns the key, though the validator reports its object. */
function subjectPath(path: KeyPath, { propertyName }: DefinedError): KeyPath {
  return propertyName === undefined ? path : [...path, propertyName];
}

function describeTypeError(
  path: KeyPath,
  { params, data }: DefinedError & { keyword: "type" },
  values: FoundValues,
): string {
  const expected = String(params.type).split(",");
  if (data === null && expected[0] === "object") return "is empty; remove the key, or fill it";
  const quotable = expected.includes("string") && /^(number|boolean)$/.test(typeof data);
  const hint = quotable ? "; quotes make it a string" : "";
  return `expected ${describeTypes(expected)}, found ${values.describe(path, data)}${hint}`;
}

function describeFormatError(
  path: KeyPath,
  error: DefinedError & { keyword: "format" },
  { formats = {} }: ConfigFormat,
  values: FoundValues,
): PathIssue | null {
  const subject = error.propertyName ?? error.data;
  // An empty text is reported by its length if the schema limits that.
  if (subject === "" && valueAt(error.parentSchema, "minLength") !== undefined) return null;
  const problem = typeof subject === "string" ? formats[error.params.format]?.(subject) : null;
  const isShown = error.propertyName === undefined && !values.isSecret(path);
  const found = isShown ? `, found ${values.describe(path, error.data)}` : "";
  return { path: subjectPath(path, error), message: `${problem ?? "is not valid"}${found}` };
}

function probableKey(path: KeyPath, error: DefinedError, schema: JsonSchema): string {
  const name = path.at(-1) ?? "";
  const siblings = Object.keys(valueAt(error.parentSchema, "properties") ?? {});
  const similar = closestNames(name, siblings, 1);
  const elsewhere = placesOf(name, schema);
  const meant =
    elsewhere.length > 0
      ? elsewhere
      : similar.map((sibling) => formatKeyPath([...path.slice(0, -1), sibling]));
  return meant.length === 0 ? "" : `; did you mean ${meant.join(" or ")}?`;
}

/** Where in the file a key of this name belongs: at the top or in a section. */
function placesOf(name: string, { properties: top = {} }: JsonSchema): string[] {
  const found: string[] = [];
  for (const [section, { properties = {} }] of Object.entries(top)) {
    if (section === name) found.push(name);
    if (Object.hasOwn(properties, name)) found.push(formatKeyPath([section, name]));
  }
  return found;
}

const namesOf = (options: readonly unknown[]): string =>
  options.map((option) => JSON.stringify(option)).join(" or ");

/** The option that a word probably meant. */
function meantBy({ data, params, parentSchema }: DefinedError & { keyword: "enum" }): string {
  if (typeof data !== "string") return "";
  const known = valueAt(parentSchema, "meant", data.toLowerCase());
  const options = params.allowedValues.filter((option) => typeof option === "string");
  const [meant] = typeof known === "string" ? [known] : closestNames(data, options, 1);
  return meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`;
}

/** The values of a discriminating member. */
function tagsOf(schema: unknown, tag: string): unknown[] {
  const branches = valueAt(schema, "oneOf");
  if (!Array.isArray(branches)) return [];
  return branches.map((branch) => valueAt(branch, "properties", tag, "const"));
}
