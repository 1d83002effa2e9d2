import { Problem } from "../answer/problem.ts";
import { type Reply, reply } from "../answer/reply.ts";
import { isOfConvention } from "../operation/operations.ts";

/** A request for an operation that the resource does not implement. */
export interface MissingOperation {
  readonly method: string;
  /** The resource's name. */
  readonly resource: string;
  /** Empty: the collection. */
  readonly id: string;
  /** The methods that the path supports, as in the header `Allow`. */
  readonly allow: string;
}

/** Answers a missing operation; null leaves the request to the ordinary handlers. */
export type MissingStrategy = (missing: MissingOperation) => Reply | Problem | null;

/**
 * OPTIONS is answered 204 with `Allow`, other methods of the convention 405 with `Allow`; all other methods are left
 * to the ordinary handlers.
 */
export const answerMethodNotAllowed: MissingStrategy = (missing) => {
  const { method, allow } = missing;
  if (method === "OPTIONS") return reply(204, undefined, { allow });
  return isOfConvention(method) ? methodNotAllowed(method, missing) : null;
};

/** The convention's older behaviour: 501 in plain text for everything missing. */
export const answerNotImplemented: MissingStrategy = () =>
  reply(501, "501 Not Implemented\n", { "content-type": "text/plain; charset=utf-8" });

export function methodNotAllowed(
  method: string,
  { resource, allow }: { readonly resource: string; readonly allow: string },
): Problem {
  const detail = `'${method}' is not allowed on this path of '${resource}'. Allowed: ${allow}.`;
  return new Problem(405, detail, { headers: { allow } });
}
