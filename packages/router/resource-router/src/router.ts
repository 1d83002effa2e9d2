import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ExchangeLimits, NodeExchange } from "./node/node-exchange.ts";
import { type NodeErrorListener, serve } from "./node/serve.ts";
import { readLimit } from "./operation/limit.ts";
import { type Addressed, addressedBy, operationFor, refusal } from "./routing/dispatch.ts";
import type { Group } from "./routing/group.ts";
import { answerMethodNotAllowed } from "./routing/missing-operation.ts";
import type { Resource } from "./routing/resource.ts";
import { RouteTable } from "./routing/route-table.ts";
import type { RoutingOptions } from "./routing/routing-options.ts";

export interface RouterOptions extends RoutingOptions {
  /** How long a caller may leave a chunk of a stream unread, in milliseconds. @default 60000 */
  readonly stallTimeoutMs?: number;
  /**
   * Whether to answer `Expect: 100-continue` when an operation reads the body. Set it if the server has a
   * `checkContinue` listener; without one, Node itself answers.
   * @default false
   */
  readonly sendContinue?: boolean;
  /** Gets the errors behind answers with status 500, and those of failed streams. @default console.error */
  readonly onError?: NodeErrorListener;
}

/** Routes requests to resources. Its functions need no `this`. */
export interface Router {
  /** Answers a request for a resource. False: it is for something else, and untouched. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Answers what no handler took: 405 with `Allow` on the path of a resource, 404 elsewhere. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a request or calls `next`; without `next`, as the only handler of a server, it refuses. */
  readonly middleware: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: () => void,
  ) => void;
  /** What a request addresses, for logs and metrics; null: not a resource. */
  readonly match: (method: string, target: string) => Addressed | null;
}

/**
 * Routes the requests of Node's server.
 * @throws Error two members have the same path
 * @throws RangeError a limit is not a positive whole number
 */
export function createRouter(
  members: readonly (Resource | Group)[],
  options: RouterOptions = {},
): Router {
  const { missing = answerMethodNotAllowed, onError = (error) => console.error(error) } = options;
  const limits = readLimits(options);
  const digest = options.etags === true ? digestOf : null;
  const table = new RouteTable(members, options.hooks);

  const handle: Router["handle"] = (request, response) => {
    const match = table.find(request.url ?? "");
    if (match === null) return false;
    const operation = operationFor(match, request.method ?? "", missing);
    if (operation === null) return false;
    serve(new NodeExchange(request, response, match, limits, digest), operation, onError);
    return true;
  };

  const refuse: Router["refuse"] = (request, response) => {
    const { method = "", url = "" } = request;
    const match = table.find(url);
    const exchange = new NodeExchange(request, response, match, limits, null);
    serve(exchange, refusal(match, method, url), onError);
  };

  return {
    handle,
    refuse,
    middleware: (request, response, next) => {
      if (handle(request, response)) return;
      if (next === undefined) refuse(request, response);
      else next();
    },
    match: (method, target) => addressedBy(table, method, target),
  };
}

/** 160 bits, so that collisions do not happen. */
function digestOf(body: string | Uint8Array): string {
  return hash("sha256", body, "base64url").slice(0, 27);
}

function readLimits(options: RouterOptions): ExchangeLimits {
  return {
    maxBodyBytes: readLimit("maxBodyBytes", options.maxBodyBytes ?? 1024 * 1024),
    bodyTimeoutMs: readLimit("bodyTimeoutMs", options.bodyTimeoutMs ?? 30_000),
    stallTimeoutMs: readLimit("stallTimeoutMs", options.stallTimeoutMs ?? 60_000),
    sendContinue: options.sendContinue ?? false,
  };
}
