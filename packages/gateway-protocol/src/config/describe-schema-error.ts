import type { DefinedError } from "ajv/dist/2020.js";
import { closestNames } from "../closest-name.ts";
import type { PathIssue } from "./config-references.ts";
import { describeFound, describeTypes, isSecretPath } from "./describe-value.ts";
import { formatKeyPath, fromPointer, type KeyPath, valueAt } from "./key-path.ts";
import { configSchema } from "./schema/config-schema.ts";
import { stringFormats } from "./string-formats.ts";

/** An error of the validator in the words of the file; null where another error says the same better. */
export function describeSchemaError(error: DefinedError): PathIssue | null {
  const path = fromPointer(error.instancePath);
  const issue = (message: string): PathIssue => ({ path, message });
  const found = (): string => `found ${describeFound(path, error.data)}`;
  switch (error.keyword) {
    case "additionalProperties": {
      const unknown = [...path, error.params.additionalProperty];
      return { path: unknown, message: `is not a known key${probableKey(unknown, error)}` };
    }
    case "required":
      if (error.schemaPath.includes("/oneOf/")) return null;
      return { path: [...path, error.params.missingProperty], message: "is required" };
    case "oneOf":
      return issue(
        error.params.passingSchemas === null
          ? "needs base_url, or base_urls for several replicas"
          : "has both base_url and base_urls; one of them is expected",
      );
    case "type":
      return issue(describeTypeError(path, error));
    case "enum": {
      const options: unknown[] = error.params.allowedValues;
      const names = options.map((option) => JSON.stringify(option));
      return issue(`expected ${names.join(" or ")}, ${found()}`);
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
      return describeFormatError(path, error);
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
): string {
  const expected = String(params.type).split(",");
  if (data === null && expected[0] === "object") return "is empty; remove the key, or fill it";
  const quotable = expected.includes("string") && /^(number|boolean)$/.test(typeof data);
  const hint = quotable ? "; quotes make it a string" : "";
  return `expected ${describeTypes(expected)}, found ${describeFound(path, data)}${hint}`;
}

function describeFormatError(
  path: KeyPath,
  error: DefinedError & { keyword: "format" },
): PathIssue | null {
  const subject = error.propertyName ?? error.data;
  // An empty text is reported by its length where the schema has one.
  if (subject === "" && valueAt(error.parentSchema, "minLength") !== undefined) return null;
  const problem =
    typeof subject === "string" ? stringFormats[error.params.format]?.(subject) : null;
  const isShown = error.propertyName === undefined && !isSecretPath(path);
  const found = isShown ? `, found ${describeFound(path, error.data)}` : "";
  return { path: subjectPath(path, error), message: `${problem ?? "is not valid"}${found}` };
}

function probableKey(path: KeyPath, error: DefinedError): string {
  const name = path.at(-1) ?? "";
  const siblings = Object.keys(valueAt(error.parentSchema, "properties") ?? {});
  const similar = closestNames(name, siblings, 1);
  const elsewhere = placesOf(name);
  const meant =
    elsewhere.length > 0
      ? elsewhere
      : similar.map((sibling) => formatKeyPath([...path.slice(0, -1), sibling]));
  return meant.length === 0 ? "" : `; did you mean ${meant.join(" or ")}?`;
}

/** Where in the file a key of this name belongs: at the top or in a section. */
function placesOf(name: string): string[] {
  const found: string[] = [];
  const sections = Object.entries(configSchema.properties ?? {});
  for (const [section, { properties = {} }] of sections) {
    if (section === name) found.push(name);
    if (Object.hasOwn(properties, name)) found.push(formatKeyPath([section, name]));
  }
  return found;
}
