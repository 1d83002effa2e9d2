import { Problem } from "../answer/problem.ts";
import type { Issue, OutputOf, StandardSchema } from "./standard-schema.ts";

/** What is wrong with one value; the members are those of RFC 9457's own example. */
export interface ValidationError {
  readonly detail: string;
  /** Its place in the body: a JSON pointer as a URI fragment (RFC 6901, section 6). */
  readonly pointer?: string;
  /** Its parameter in the query. */
  readonly parameter?: string;
}

/** @throws Problem 422 with `errors`, each with its place */
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

/** A key, escaped for a JSON pointer and then for a URI. */
function pointerToken(key: string): string {
  const escaped = key.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
  return `/${encodeURIComponent(escaped)}`;
}

/** The query for schemas: strings by name; a list for a repeated name. */
export function queryValue(query: URLSearchParams): Record<string, string | readonly string[]> {
  const names = new Set(query.keys());
  return Object.fromEntries(
    [...names].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}
