import { Problem } from "../answer/problem.ts";
import type { Issue, OutputOf, StandardSchema } from "./standard-schema.ts";

/** What was wrong with one value: RFC 9457 shows these members in its own example. */
export interface ValidationError {
  readonly detail: string;
  /** Where in the body it is: a JSON pointer as a URI fragment (RFC 6901, section 6). */
  readonly pointer?: string;
  /** Which parameter of the query it is. */
  readonly parameter?: string;
}

/** @throws Problem 422 with `errors`, each of which says where it is */
export async function validate<S extends StandardSchema>(
  schema: S,
  value: unknown,
  part: "body" | "query",
): Promise<OutputOf<S>> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return result.value as OutputOf<S>;
  const errors = result.issues.map((issue) => errorOf(issue, part));
  throw new Problem(422, `The ${part} is not valid.`, { members: { errors } });
}

function errorOf({ message, path = [] }: Issue, part: "body" | "query"): ValidationError {
  const keys = path.map((segment) => String(typeof segment === "object" ? segment.key : segment));
  return part === "body"
    ? { detail: message, pointer: `#${keys.map(pointerToken).join("")}` }
    : { detail: message, parameter: keys[0] ?? "" };
}

/** A key as JSON pointers escape it, and then as URIs do. */
function pointerToken(key: string): string {
  const escaped = key.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
  return `/${encodeURIComponent(escaped)}`;
}

/** A query as schemas take it: texts by their names; a list for a name that comes more than once. */
export function queryValue(query: URLSearchParams): Record<string, string | readonly string[]> {
  const names = new Set(query.keys());
  return Object.fromEntries(
    [...names].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}
