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

/** What a schema's `type` asks for. */
export const describeTypes = (types: readonly string[]): string =>
  types.map((type) => typeNames[type] ?? type).join(" or ");

const longestShown = 80;

const credentialPrefix =
  /^(?:Bearer |Basic |(?:sk|pk|rk|gsk|xai|hf|sess|ghp|gho|ghs|glpat|xox[abp])[-_]|AKIA|AIza|eyJ)/;

/** By the prefixes of well-known services, or 32 letters and digits without a break. */
const looksLikeCredential = (value: string): boolean =>
  credentialPrefix.test(value) ||
  (/^[-\w+=]{32,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value));

/** Values of a file as its errors may show them. */
export class FoundValues {
  /** The environment variables that the value at a path was made from. */
  readonly variables: VariablesOf;
  readonly #secrets: ReadonlySet<string>;

  /** @param secrets keys whose values, at any depth, may be credentials */
  constructor(variables: VariablesOf, secrets: Iterable<string>) {
    this.variables = variables;
    this.#secrets = new Set(secrets);
  }

  /** Whether what is at a path may be a credential, or have one in it. */
  isSecret(path: KeyPath): boolean {
    return path.some((key) => this.#secrets.has(key));
  }

  /**
   * Never shows what could be a credential, and never what a variable holds, as people do put a
   * credential under the wrong key.
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
    if (looksLikeCredential(value)) return "what looks like a credential";
    const shown = maskUrl(value);
    return JSON.stringify(shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown);
  }
}
