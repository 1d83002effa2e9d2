import { parseDocument } from "yaml";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Substitution {
  /** The text with every reference replaced; a reference with a problem stays as it was. */
  readonly text: string;
  /** The text was one reference and nothing else. */
  readonly whole: boolean;
  /** What is wrong with the references; names variables, never values. */
  readonly problems: readonly string[];
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` (unset or empty: the default); `$${` becomes `${`.
 * A default ends at the first `}`. What is put in is not looked at again.
 */
export function substitute(text: string, env: Environment): Substitution {
  const problems: string[] = [];
  let result = "";
  let from = 0;
  let whole = false;
  for (let at = text.indexOf("${"); at !== -1; at = text.indexOf("${", from)) {
    if (at > from && text[at - 1] === "$") {
      result += `${text.slice(from, at - 1)}\${`;
      from = at + 2;
      continue;
    }
    const close = text.indexOf("}", at);
    const end = close === -1 ? text.length : close + 1;
    const value = resolveReference(text.slice(at, end), env, problems);
    whole = at === 0 && end === text.length && value !== null;
    result += text.slice(from, at) + (value ?? text.slice(at, end));
    from = end;
  }
  return { text: result + text.slice(from), whole, problems };
}

function resolveReference(reference: string, env: Environment, problems: string[]): string | null {
  const match = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}$/.exec(reference);
  const name = match?.[1];
  const fallback = match?.[2];
  if (name === undefined || fallback?.includes("${")) {
    problems.push(
      `has a reference that is neither \${NAME} nor \${NAME:-default}; a literal \${ is written $\${`,
    );
    return null;
  }
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (fallback !== undefined && (value === undefined || value === "")) return fallback;
  if (value !== undefined) return value;
  problems.push(
    `needs the environment variable ${name}, which is not set (\${${name}:-default} gives it a default)`,
  );
  return null;
}

/**
 * A value from the environment as YAML would read it. Text that only looks like YAML by accident (a
 * password with a `#` or a leading `*`) stays text.
 */
export function rereadYaml(text: string): unknown {
  const document = parseDocument(text, {
    stringKeys: true,
    resolveKnownTags: false,
    prettyErrors: false,
  });
  const { contents, errors, warnings, comment, commentBefore } = document;
  const aside =
    comment ?? commentBefore ?? contents?.comment ?? contents?.commentBefore ?? contents?.anchor;
  if (errors.length > 0 || warnings.length > 0 || aside) return text;
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof ReferenceError) return text;
    throw error;
  }
}
