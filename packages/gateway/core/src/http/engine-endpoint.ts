import { fixedPaths } from "@proj/gateway-protocol";
import type { RequestHandler } from "express";
import type { Engines } from "../engine/engines.ts";
import { probeRoute } from "../engine/probe/probe-engines.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { RouteTable } from "../routes/route-table.ts";
import type { AccessControl } from "./access-control.ts";
import { sendJson } from "./control-answer.ts";
import { decodeRouteKey } from "./decode-route-key.ts";
import { onlyMethods } from "./only-methods.ts";

export interface EngineEndpointDependencies {
  readonly access: AccessControl;
  readonly engines: Engines;
  readonly routes: RouteTable;
}

const path = new RegExp(`^${fixedPaths.routes}/(.+)/engine$`, "s");

/** `GET /v1/routes/{key}/engine`: asks the engines of a route for a few tokens. */
export function engineEndpoint({
  access,
  engines,
  routes,
}: EngineEndpointDependencies): RequestHandler {
  return async (req, res, next) => {
    const [, escaped] = path.exec(req.path) ?? [];
    if (escaped === undefined) {
      next();
      return;
    }
    if (req.method !== "GET") {
      await onlyMethods("GET")(req, res, next);
      return;
    }
    access.authenticate(req, null);
    const model = decodeRouteKey(escaped);
    const route = routes.lookUp(model);
    if (route === undefined)
      throw new GatewayError("model_not_found", `There is no route '${model}'.`);
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    res.once("close", leave);
    try {
      const options = { signal: gone.signal };
      sendJson(res, await probeRoute(model, route.config, engines, options));
    } finally {
      res.removeListener("close", leave);
    }
  };
}
