import { Problem } from "../answer/problem.ts";
import { toAnswer } from "../answer/to-answer.ts";
import { answerTo } from "../operation/answer-to.ts";
import { type ErrorListener, tell } from "../operation/error-listener.ts";
import type { Operation } from "../operation/exchange.ts";
import { readLimit } from "../operation/limit.ts";
import { type Addressed, addressedBy, operationFor, refusal } from "../routing/dispatch.ts";
import type { Group } from "../routing/group.ts";
import { answerMethodNotAllowed } from "../routing/missing-operation.ts";
import type { Resource } from "../routing/resource.ts";
import { RouteTable } from "../routing/route-table.ts";
import type { RoutingOptions } from "../routing/routing-options.ts";
import { FetchExchange } from "./fetch-exchange.ts";
import type { BodyLimits } from "./read-bytes.ts";
import { toResponse } from "./to-response.ts";

export interface FetchRouterOptions extends RoutingOptions {
  /** Gets the errors behind answers with status 500, and those of failed streams. @default console.error */
  readonly onError?: ErrorListener<Request>;
}

/** Routes web requests to resources. Its functions need no `this`. */
export interface FetchRouter {
  /** Answers every request; outside the resources with 405 and `Allow`, or 404. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Answers a request for a resource. Null: it is for something else, and untouched. */
  readonly handle: (request: Request) => Promise<Response> | null;
  /** What a request addresses, for logs and metrics; null: not a resource. */
  readonly match: (method: string, target: string) => Addressed | null;
}

/**
 * Routes web requests: in Deno, Bun, Workers and Hono, and in tests without a socket.
 * @throws Error two members have the same path
 * @throws RangeError a limit is not a positive whole number
 */
export function createFetchRouter(
  members: readonly (Resource | Group)[],
  options: FetchRouterOptions = {},
): FetchRouter {
  const { missing = answerMethodNotAllowed, onError = (error) => console.error(error) } = options;
  const limits: BodyLimits = {
    maxBodyBytes: readLimit("maxBodyBytes", options.maxBodyBytes ?? 1024 * 1024),
    bodyTimeoutMs: readLimit("bodyTimeoutMs", options.bodyTimeoutMs ?? 30_000),
  };
  const digest = options.etags === true ? digestOf : null;
  const table = new RouteTable(members, options.hooks);

  const handle: FetchRouter["handle"] = (request) => {
    const target = new URL(request.url);
    const match = table.find(target.pathname);
    if (match === null) return null;
    const operation = operationFor(match, request.method, missing);
    if (operation === null) return null;
    return serve(new FetchExchange(request, target, match, limits, digest), operation, onError);
  };

  return {
    handle,
    fetch: async (request) => {
      const answered = handle(request);
      if (answered !== null) return answered;
      const target = new URL(request.url);
      const match = table.find(target.pathname);
      const exchange = new FetchExchange(request, target, match, limits, null);
      return serve(exchange, refusal(match, request.method, exchange.url), onError);
    },
    match: (method, target) => addressedBy(table, method, target),
  };
}

async function serve(
  exchange: FetchExchange,
  operation: Operation,
  onError: ErrorListener<Request>,
): Promise<Response> {
  const { request } = exchange;
  const isHead = request.method === "HEAD";
  const onStreamError = (error: unknown): void => tell(onError, error, request);
  const problemResponse = async (problem: Problem): Promise<Response> =>
    toResponse(toAnswer(problem, exchange), isHead, onStreamError);
  try {
    return await toResponse(await answerTo(exchange, operation), isHead, onStreamError);
  } catch (error) {
    const failure =
      error instanceof Problem ? await problemResponse(error).catch(asFailure) : { error };
    if (failure instanceof Response) return failure;
    // An operation that noticed that the caller disconnected fails like this.
    const hasLeft = request.signal.aborted && error instanceof Error && error.name === "AbortError";
    if (!hasLeft) tell(onError, failure.error, request);
    return problemResponse(new Problem(500));
  }
}

function asFailure(error: unknown): { readonly error: unknown } {
  return { error };
}

/** 160 bits, so that collisions do not happen. */
async function digestOf(body: string | Uint8Array): Promise<string> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const text = btoa(String.fromCharCode(...digest));
  return text.replaceAll("+", "-").replaceAll("/", "_").slice(0, 27);
}
