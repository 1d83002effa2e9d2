import type { DefinedError } from "ajv/dist/2020.js";
import type { FoundValues } from "./found-values.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { PathIssue } from "./references.ts";

/** What is wrong with a string, in words that say what is expected; null: nothing. */
export type StringCheck = (value: string) => string | null;

/** What a configuration file may be. */
export interface ConfigFormat {
  readonly schema: JsonSchema;
  /** The formats of the schema, by name. */
  readonly formats?: Readonly<Record<string, StringCheck>>;
  /** Keys whose values, at any depth, may be credentials: never shown, and never empty. */
  readonly secrets?: readonly string[];
  /** What an empty file lacks; @default "is empty" */
  readonly whenEmpty?: string;
  /** Words of its own for an error of the schema; null: another error says it; undefined: the usual words. */
  describe?(error: DefinedError): string | null | undefined;
  /** Rules that relate several keys. The file may have any other fault: what is of the wrong type breaks none. */
  rules?(file: unknown, values: FoundValues): Iterable<PathIssue>;
}
