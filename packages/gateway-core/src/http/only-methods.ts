import type { RequestHandler } from "express";
import { GatewayError } from "../gateway-error.ts";

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
