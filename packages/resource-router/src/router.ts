import type { IncomingMessage, ServerResponse } from "node:http";
import { answer, type ErrorListener, type Operation } from "./answer/answer.ts";
import { badRequest, notFound, type Problem } from "./answer/problem.ts";
import { noContent, type Reply } from "./answer/reply.ts";
import { Exchange, type ExchangeLimits } from "./exchange/exchange.ts";
import type { Group } from "./routing/group.ts";
import {
  answerMethodNotAllowed,
  type MissingStrategy,
  methodNotAllowed,
} from "./routing/missing-operation.ts";
import { isOfConvention, type OperationName } from "./routing/operations.ts";
import type { Resource } from "./routing/resource.ts";
import { type Match, RouteTable } from "./routing/route-table.ts";

export interface RouterOptions {
  /** Largest body of a request that is read. @default 1048576 */
  readonly maxBodyBytes?: number;
  /** Longest time from asking for a body to its end, in milliseconds. @default 30000 */
  readonly bodyTimeoutMs?: number;
  /** Longest time that a caller may leave what was sent of a stream untaken, in milliseconds. @default 60000 */
  readonly stallTimeoutMs?: number;
  /**
   * Whether `Expect: 100-continue` is answered when an operation asks for the body. It is to be set
   * where the server has a listener for `checkContinue`; Node itself answers where it has none.
   * @default false
   */
  readonly sendContinue?: boolean;
  /** Answers what a resource does not implement. @default answerMethodNotAllowed */
  readonly missing?: MissingStrategy;
  /** Hears of what was answered 500 and of streams that failed. @default console.error */
  readonly onError?: ErrorListener;
}

export interface Addressed {
  /** The resource's name. */
  readonly resource: string;
  /** Null: the resource does not implement it. */
  readonly operation: OperationName | null;
  /** Empty: the collection; null: what stands there is no id. */
  readonly id: string | null;
}

/** Routes requests to resources. Its functions need no `this`. */
export interface Router {
  /** Takes a request that is a resource's. False: it is somebody else's, and untouched. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Answers what nobody took: 405 with `Allow` on the path of a resource, 404 elsewhere. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => void;
  /** Takes a request, or calls `next`; without `next`, as the only handler of a server, it refuses. */
  readonly middleware: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: () => void,
  ) => void;
  /** What a request asks for, for logs and metrics; null: of no resource. */
  readonly match: (method: string, target: string) => Addressed | null;
}

/**
 * @throws Error where two members take the same path
 * @throws RangeError for a limit that is no positive number
 */
export function createRouter(
  members: readonly (Resource | Group)[],
  options: RouterOptions = {},
): Router {
  const { missing = answerMethodNotAllowed, onError = (error) => console.error(error) } = options;
  const limits = readLimits(options);
  const table = new RouteTable(members);

  const handle: Router["handle"] = (request, response) => {
    const match = table.find(request.url ?? "");
    if (match === null) return false;
    const operation = operationFor(match, request.method ?? "");
    if (operation === null) return false;
    answer(new Exchange(request, response, match.id ?? "", limits), operation, onError);
    return true;
  };

  const operationFor = ({ form, id }: Match, method: string): Operation | null => {
    if (id === null) return isOfConvention(method) ? giving(malformedId()) : null;
    const { resource, allow } = form;
    const operation = form.operations.get(method);
    if (operation !== undefined) return operation;
    try {
      const instead = missing({ method, resource, id, allow });
      return instead === null ? null : giving(instead);
    } catch (error) {
      return giving(Promise.reject(error));
    }
  };

  const refuse: Router["refuse"] = (request, response) => {
    const { method = "", url = "" } = request;
    const refusal = giving(refusalOf(table.find(url), method, url));
    answer(new Exchange(request, response, "", limits), refusal, onError);
  };

  return {
    handle,
    refuse,
    middleware: (request, response, next) => {
      if (handle(request, response)) return;
      if (next === undefined) refuse(request, response);
      else next();
    },
    match: (method, target) => {
      const match = table.find(target);
      if (match === null) return null;
      const { resource, operations } = match.form;
      return { resource, operation: operations.get(method)?.name ?? null, id: match.id };
    },
  };
}

/** An operation whose result is known. */
function giving(result: Reply | Problem | Promise<never>): Operation {
  return { run: () => result, nothing: noContent };
}

function refusalOf(match: Match | null, method: string, target: string): Problem {
  if (match === null) return notFound(`There is nothing at '${method} ${target.slice(0, 200)}'.`);
  if (match.id === null) return malformedId();
  return methodNotAllowed(method, match.form);
}

function malformedId(): Problem {
  return badRequest("The last segment of the path is no id: '.', '..', or a malformed escape.");
}

function readLimits(options: RouterOptions): ExchangeLimits {
  return {
    maxBodyBytes: readLimit("maxBodyBytes", options.maxBodyBytes ?? 1024 * 1024),
    bodyTimeoutMs: readLimit("bodyTimeoutMs", options.bodyTimeoutMs ?? 30_000),
    stallTimeoutMs: readLimit("stallTimeoutMs", options.stallTimeoutMs ?? 60_000),
    sendContinue: options.sendContinue ?? false,
  };
}

/** The most that timers take; a longer time would be over at once. */
const highestLimit = 2 ** 31 - 1;

function readLimit(name: string, value: number): number {
  if (Number.isInteger(value) && value > 0 && value <= highestLimit) return value;
  throw new RangeError(`'${name}' must be a whole number from 1 to ${highestLimit}, not ${value}.`);
}
