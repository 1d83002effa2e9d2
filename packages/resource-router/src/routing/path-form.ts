import type { Operation } from "../answer/answer.ts";
import { notFound } from "../answer/problem.ts";
import { noContent } from "../answer/reply.ts";
import { convention, type OperationName, type Operations } from "./operations.ts";

/** One of the two paths of a resource, and what it takes. */
export interface PathForm {
  /** The resource's name. */
  readonly resource: string;
  /** The implemented operations by their methods, HEAD among them. */
  readonly operations: ReadonlyMap<string, NamedOperation>;
  /** The header `Allow`: those methods, and OPTIONS, which is always answered. */
  readonly allow: string;
}

export interface NamedOperation extends Operation {
  readonly name: OperationName;
}

/** @throws TypeError for an operation that is no function */
export function pathForm(
  resource: string,
  form: keyof typeof convention,
  operations: Operations,
): PathForm {
  const byMethod = new Map<string, NamedOperation>();
  for (const [method, name] of Object.entries(convention[form])) {
    const given: unknown = operations[name];
    if (given === undefined) continue;
    if (typeof given !== "function")
      throw new TypeError(`The operation '${name}' of '${resource}' must be a function.`);
    const operation: NamedOperation = {
      name,
      run: given.bind(operations),
      nothing: name === "find" ? notFound : noContent,
    };
    byMethod.set(method, operation);
    if (method === "GET") byMethod.set("HEAD", operation);
  }
  const allow = [...new Set([...byMethod.keys(), "OPTIONS"])].join(", ");
  return { resource, operations: byMethod, allow };
}
