import { Problem } from "../answer/problem.ts";
import { type Issue, keyOf, type Validation } from "./standard-schema.ts";

/** What is wrong with one value; the members are those of RFC 9457's own example. */
export interface ValidationError {
  readonly detail: string;
  /** Its place in the body: a JSON pointer as a URI fragment (RFC 6901, section 6). */
  readonly pointer?: string;
  /** Its parameter in the query. */
  readonly parameter?: string;
}

/** @throws Problem 422 with `errors`, each with its place */
export function requireValid<Output>(result: Validation<Output>, part: "body" | "query"): Output {
  if (result.issues === undefined) return result.value;
  const errors = result.issues.map((issue) => errorOf(issue, part));
  throw new Problem(422, `The ${part} is not valid.`, { members: { errors } });
}

function errorOf({ message, path = [] }: Issue, part: "body" | "query"): ValidationError {
  const keys = path.map(keyOf);
  return part === "body"
    ? { detail: message, pointer: `#${keys.map(pointerToken).join("")}` }
    : { detail: message, parameter: keys[0] ?? "" };
}

/** A key, escaped for a JSON pointer and then for a URI. */
function pointerToken(key: string): string {
  const escaped = key.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
  return `/${encodeURIComponent(escaped)}`;
}
