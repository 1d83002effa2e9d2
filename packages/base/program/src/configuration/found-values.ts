import type { KeyPath } from "./key-path.ts";
import { maskUrl } from "./secret-masking.ts";

/** The environment variables that the value at a path was made from. */
export type VariablesOf = (path: KeyPath) => readonly string[];

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  null: "null",
  number: "a number",
  object: "keys and values",
  string: "a string",
};

/** Describes the types that a schema requires. */
export const describeTypes = (types: readonly string[]): string =>
  types.map((type) => typeNames[type] ?? type).join(" or ");

const maxShown = 80;

const credentialPrefix =
  /^(?:Bearer |Basic |(?:sk|pk|rk|gsk|xai|hf|sess|ghp|gho|ghs|glpat|xox[abp])[-_]|AKIA|AIza|eyJ)/;

/** Recognizes prefixes of well-known services, and 32 or more letters and digits without a break. */
const looksLikeCredential = (value: string): boolean =>
  credentialPrefix.test(value) ||
  (/^[-\w+=]{32,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value));

/** Describes the values of a file for its errors. */
export class FoundValues {
  /** The environment variables that the value at a path was made from. */
  readonly variables: VariablesOf;
  readonly #secrets: ReadonlySet<string>;

  /** @param secrets keys whose values, at any depth, may be credentials */
  constructor(variables: VariablesOf, secrets: Iterable<string>) {
    this.variables = variables;
    this.#secrets = new Set(secrets);
  }

  /** Whether the value at a path may be a credential or contain one. */
  isSecret(path: KeyPath): boolean {
    return path.some((key) => this.#secrets.has(key));
  }

  /**
   * Never shows a value that could be a credential, nor a variable's value, because people do put credentials under the
   * wrong key.
   */
  describe(path: KeyPath, value: unknown): string {
    if (value === null) return "nothing (null)";
    const names = this.variables(path);
    if (typeof value === "string" && value !== "" && names.length > 0)
      return `the value of ${names.join(" and ")}`;
    if (Array.isArray(value)) return "a list";
    if (typeof value === "object") return "keys and values";
    if (this.isSecret(path))
      return typeof value === "boolean" ? "true or false" : `a ${typeof value}`;
    if (typeof value !== "string") return String(value);
    if (looksLikeCredential(value)) return "something that looks like a credential";
    const shown = maskUrl(value);
    return JSON.stringify(shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown);
  }
}
