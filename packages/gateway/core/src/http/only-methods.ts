import type { Express, Request, RequestHandler, Response } from "express";
import { GatewayError, websocketNotSupported } from "../errors/gateway-error.ts";
import type { AccessControl } from "./access-control.ts";
import { sendJson } from "./control-answer.ts";

/**
 * Refuses requests for a model endpoint that are not POSTs. Some clients try a WebSocket first: a 426 and a
 * closed connection make them fall back at once.
 */
export const onlyModelRequests: RequestHandler = (req, res, next) => {
  if (req.headers.upgrade?.toLowerCase() === "websocket") throw websocketNotSupported();
  onlyMethods("POST")(req, res, next);
};

/** Refuses with 405 every request to a path that has only these methods. */
export function onlyMethods(...methods: readonly string[]): RequestHandler {
  return (req) => {
    throw new GatewayError(
      "method_not_allowed",
      `'${req.method}' is not allowed here. Use ${methods.join(" or ")}.`,
      { headers: { allow: methods.join(", ") } },
    );
  };
}

/** A path that callers with a key may only read, as the JSON object that `read` returns. */
export function onlyRead(
  app: Express,
  path: string,
  { access }: { readonly access: AccessControl },
  read: (req: Request, res: Response) => object | Promise<object>,
): void {
  app
    .route(path)
    .get(async (req, res) => {
      access.authenticate(req, null);
      sendJson(res, await read(req, res));
    })
    .all(onlyMethods("GET", "HEAD"));
}
