import type { RequestHandler } from "express";
import { GatewayError } from "../errors/gateway-error.ts";

/**
 * Answers what comes to the path of a model endpoint and is not a POST. Some clients try a WebSocket
 * first: 426 and a closed connection let them fall back at once.
 */
export const onlyModelRequests: RequestHandler = (req, res, next) => {
  if (req.headers.upgrade?.toLowerCase() === "websocket")
    throw new GatewayError(
      "websocket_not_supported",
      "The gateway has no WebSockets. Send the request by POST.",
    );
  onlyMethods("POST")(req, res, next);
};

/** Answers 405 on a path whose methods are these. */
export function onlyMethods(...methods: readonly string[]): RequestHandler {
  return (req) => {
    throw new GatewayError(
      "method_not_allowed",
      `'${req.method}' is not allowed here. Use ${methods.join(" or ")}.`,
      { headers: { allow: methods.join(", ") } },
    );
  };
}
