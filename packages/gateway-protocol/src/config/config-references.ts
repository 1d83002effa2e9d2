import { type KeyPath, toPointer } from "./key-path.ts";
import { type Environment, rereadYaml, substitute } from "./substitution.ts";

export interface PathIssue {
  readonly path: KeyPath;
  readonly message: string;
}

export interface ResolvedReferences {
  readonly issues: readonly PathIssue[];
  /** By pointer: puts back the text of a value that was read again as YAML, where text is expected. */
  readonly restoreText: ReadonlyMap<string, () => void>;
}

/** Replaces every reference in the strings of a file's data, in place. Keys are left alone. */
export function resolveReferences(root: unknown, env: Environment): ResolvedReferences {
  const issues: PathIssue[] = [];
  const restoreText = new Map<string, () => void>();
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
      const { text, whole, problems } = substitute(value, env);
      for (const message of problems) issues.push({ path, message });
      const replaced = whole ? rereadYaml(text) : text;
      Reflect.set(container, key, replaced);
      if (whole) {
        issues.push(...checkNumber(replaced, path));
        restoreText.set(toPointer(path), () => Reflect.set(container, key, text));
      }
    }
  }
  return { issues, restoreText };
}

/** `.inf` and `.nan` are YAML, but no body could have them. */
const checkNumber = (value: unknown, path: KeyPath): PathIssue[] =>
  typeof value === "number" && !Number.isFinite(value)
    ? [{ path, message: `is ${value}, which JSON has no number for` }]
    : [];
