import { parseDocument } from "yaml";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Substitution {
  /** The text with every reference replaced; a reference with a problem stays unchanged. */
  readonly text: string;
  /** Whether the text was one reference and nothing else. */
  readonly whole: boolean;
  /** The variables that it names, each once. */
  readonly variables: readonly string[];
  /** What is wrong with the references; names variables, never values. */
  readonly problems: readonly string[];
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` (the default if NAME is unset or empty); `$${` becomes `${`. A default ends
 * at the first `}`. Replacements are not searched for references again.
 */
export function substitute(text: string, env: Environment): Substitution {
  const problems: string[] = [];
  const variables = new Set<string>();
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
    const reference = text.slice(at, end);
    const name = referenceForm.exec(reference)?.[1];
    if (name !== undefined) variables.add(name);
    const value = resolveReference(reference, env, problems);
    whole = at === 0 && end === text.length && value !== null;
    result += text.slice(from, at) + (value ?? text.slice(at, end));
    from = end;
  }
  return { text: result + text.slice(from), whole, variables: [...variables], problems };
}

const referenceForm = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}$/;

function resolveReference(reference: string, env: Environment, problems: string[]): string | null {
  const match = referenceForm.exec(reference);
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

/** The variables that a text refers to without a default, and that are set to the empty string. */
export const emptyReferences = (text: string, env: Environment): string[] =>
  [...text.matchAll(/(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].flatMap(([, name = ""]) =>
    Object.hasOwn(env, name) && env[name] === "" ? [name] : [],
  );

/**
 * A value from the environment, parsed as YAML. Text that only happens to look like YAML (a password with a `#` or a
 * leading `*`) stays text.
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
