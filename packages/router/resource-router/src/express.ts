import type { IncomingMessage, ServerResponse } from "node:http";
import { nodeExchange } from "./node/node-exchange.ts";
import type { Context } from "./operation/context.ts";
import { createRouter, type RouterOptions } from "./router.ts";
import type { Group } from "./routing/group.ts";
import type { Resource } from "./routing/resource.ts";

/** Middleware of Express 5; mounted at a path, `Location` includes that path. */
export interface ExpressResources {
  (request: IncomingMessage, response: ServerResponse, next: () => void): void;
  /** The last middleware: 405 with `Allow` on the path of a resource, 404 elsewhere. */
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => void;
}

/** @throws Error two members have the same path; RangeError a limit is not a positive whole number */
export function expressResources(
  members: readonly (Resource | Group)[],
  options?: RouterOptions,
): ExpressResources {
  const { middleware, refuse } = createRouter(members, options);
  return Object.assign(middleware, { refuse });
}

/** Express's request of a context, with what other middleware put there, such as `session`. */
export function expressRequest<Request extends IncomingMessage>(context: Context): Request {
  return nodeExchange(context).request as Request;
}
