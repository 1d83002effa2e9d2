import type { DefinedError } from "ajv/dist/2020.js";
import type { FoundValues } from "./found-values.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { PathIssue } from "./references.ts";

/** What is wrong with a string, as a phrase that says what is expected; null: nothing. */
export type StringCheck = (value: string) => string | null;

/** The definition of a configuration file. */
export interface ConfigFormat {
  readonly schema: JsonSchema;
  /** The formats of the schema, by name. */
  readonly formats?: Readonly<Record<string, StringCheck>>;
  /** Keys whose values, at any depth, may be credentials: never shown, and never empty. */
  readonly secrets?: readonly string[];
  /** The error for an empty file; @default "is empty" */
  readonly whenEmpty?: string;
  /** A special message for an error of the schema; null: another error covers it; undefined: the usual message. */
  describe?(error: DefinedError): string | null | undefined;
  /** Rules between several keys. The file may have any other fault: a value of the wrong type must not break a rule. */
  rules?(file: unknown, values: FoundValues): Iterable<PathIssue>;
}
