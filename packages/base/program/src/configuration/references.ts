import type { VariablesOf } from "./found-values.ts";
import { type KeyPath, toPointer } from "./key-path.ts";
import { type Environment, emptyReferences, rereadYaml, substitute } from "./substitution.ts";

export interface PathIssue {
  readonly path: KeyPath;
  readonly message: string;
}

export interface ResolvedReferences {
  readonly issues: readonly PathIssue[];
  /** The environment variables that a value, or a value that contains it, was made from. */
  readonly variables: VariablesOf;
  /** By pointer: restores the text of a value that was parsed as YAML, for places where text is expected. */
  readonly restoreText: ReadonlyMap<string, () => void>;
}

/**
 * Replaces every reference in the strings of a file's data, in place. Keys are left alone.
 * @param secrets keys whose variables must not be empty: otherwise the credential would silently be missing
 */
export function resolveReferences(
  root: unknown,
  env: Environment,
  secrets: Iterable<string>,
): ResolvedReferences {
  const secretKeys = new Set(secrets);
  const issues: PathIssue[] = [];
  const restoreText = new Map<string, () => void>();
  const named = new Map<string, readonly string[]>();
  // An alias makes one object a member of several; its strings must not be replaced twice.
  const seen = new Set<object>();
  const waiting: { container: unknown; path: KeyPath }[] = [{ container: root, path: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { container } = next;
    if (typeof container !== "object" || container === null || seen.has(container)) continue;
    seen.add(container);
    for (const [key, value] of Object.entries(container)) {
      const path = [...next.path, key];
      if (key.includes("${")) {
        issues.push({ path, message: "is a key with ${; references are replaced in values only" });
      }
      if (typeof value !== "string") {
        issues.push(...checkNumber(value, path));
        waiting.push({ container: value, path });
        continue;
      }
      const { text, whole, variables, problems } = substitute(value, env);
      if (variables.length > 0) named.set(toPointer(path), variables);
      for (const message of problems) issues.push({ path, message });
      if (path.some((part) => secretKeys.has(part)))
        for (const name of emptyReferences(value, env))
          issues.push({ path, message: isEmpty(name) });
      const replaced = whole ? rereadYaml(text) : text;
      Reflect.set(container, key, replaced);
      if (whole) {
        issues.push(...checkNumber(replaced, path));
        restoreText.set(toPointer(path), () => Reflect.set(container, key, text));
      }
    }
  }
  const variables: VariablesOf = (path) =>
    path.flatMap((_, index) => named.get(toPointer(path.slice(0, index + 1))) ?? []);
  return { issues, variables, restoreText };
}

const isEmpty = (name: string): string =>
  `needs the environment variable ${name}, which is empty (\${${name}:-} allows that)`;

/** `.inf` and `.nan` are YAML, but no request body could contain them. */
const checkNumber = (value: unknown, path: KeyPath): PathIssue[] =>
  typeof value === "number" && !Number.isFinite(value)
    ? [{ path, message: `is ${value}, which JSON cannot represent` }]
    : [];
