import { badRequest, notFound, type Problem } from "../answer/problem.ts";
import { noContent, type Reply } from "../answer/reply.ts";
import type { Operation } from "../operation/exchange.ts";
import { isOfConvention, type OperationName } from "../operation/operations.ts";
import { type MissingStrategy, methodNotAllowed } from "./missing-operation.ts";
import type { Match, RouteTable } from "./route-table.ts";

/** What a request addresses. */
export interface Addressed {
  /** The resource's name. */
  readonly resource: string;
  /** Null: the resource does not implement it. */
  readonly operation: OperationName | null;
  /** Empty: the collection; null: the segment is not an id. */
  readonly id: string | null;
}

export function addressedBy(table: RouteTable, method: string, target: string): Addressed | null {
  const match = table.find(target);
  if (match === null) return null;
  const { resource, operations } = match.form;
  return { resource, operation: operations.get(method)?.name ?? null, id: match.id };
}

/** The operation for a request, or one that refuses it; null: leave it to the ordinary handlers. */
export function operationFor(
  { form, id }: Match,
  method: string,
  missing: MissingStrategy,
): Operation | null {
  if (id === null) return isOfConvention(method) ? giving(malformedId()) : null;
  const operation = form.operations.get(method);
  if (operation !== undefined) return operation;
  try {
    const instead = missing({ method, resource: form.resource, id, allow: form.allow });
    return instead === null ? null : giving(instead);
  } catch (error) {
    return giving(Promise.reject(error));
  }
}

/** Answers what no handler took: 405 with `Allow` on the path of a resource, 404 elsewhere. */
export function refusal(match: Match | null, method: string, target: string): Operation {
  if (match === null)
    return giving(notFound(`There is nothing at '${method} ${target.slice(0, 200)}'.`));
  return giving(match.id === null ? malformedId() : methodNotAllowed(method, match.form));
}

/** An operation with a fixed result. */
function giving(result: Reply | Problem | Promise<never>): Operation {
  return { run: () => result, ifNone: noContent };
}

function malformedId(): Problem {
  return badRequest("An id in the path is '.', '..', or has a malformed escape.");
}
