import { type EngineLogprobsBody, fixedPaths, type GatewayConfig } from "@proj/gateway-protocol";
import type { RequestHandler } from "express";
import type { BufferedBytes } from "../call/body-memory.ts";
import type { Route } from "../call/route.ts";
import { askLogprobs } from "../engine/ask-logprobs.ts";
import type { Engines } from "../engine/engines.ts";
import { probeRoute } from "../engine/probe/probe-engines.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { RouteTable } from "../routes/route-table.ts";
import type { AccessControl } from "./access-control.ts";
import { sendJson } from "./control-answer.ts";
import { readJsonObject } from "./json-body.ts";
import { onlyMethods } from "./only-methods.ts";
import { decodeRouteKey } from "./paths.ts";
import { bodyPace } from "./read-body.ts";

export interface EngineEndpointDependencies {
  readonly config: GatewayConfig;
  readonly access: AccessControl;
  readonly buffered: BufferedBytes;
  readonly engines: Engines;
  readonly routes: RouteTable;
}

const path = new RegExp(`^${fixedPaths.routes}/(.+)/(engine|logprobs)$`, "s");
/** The ids of more than a million tokens. */
const maxPromptBytes = 16 * 1024 * 1024;

/**
 * `GET /v1/routes/{key}/engine`: asks the engines of a route for a few tokens. `POST /v1/routes/{key}/logprobs`: asks
 * them for the log probabilities of given tokens.
 */
export function engineEndpoint({
  config,
  access,
  buffered,
  engines,
  routes,
}: EngineEndpointDependencies): RequestHandler {
  const pace = bodyPace(config);
  return async (req, res, next) => {
    const [, escaped, what] = path.exec(req.path) ?? [];
    if (escaped === undefined) {
      next();
      return;
    }
    const method = what === "engine" ? "GET" : "POST";
    if (req.method !== method) {
      await onlyMethods(method)(req, res, next);
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
      const { signal } = gone;
      if (method === "GET")
        sendJson(res, await probeRoute(model, route.config, engines, { signal }));
      else {
        const body = await readJsonObject({ req, res }, pace, buffered, maxPromptBytes);
        sendJson(res, await logprobsOf(route, body.token_ids, signal));
      }
    } finally {
      res.removeListener("close", leave);
    }
  };
}

async function logprobsOf(
  { model, config }: Route,
  ids: unknown,
  signal: AbortSignal,
): Promise<EngineLogprobsBody> {
  const isId = (id: unknown): id is number => Number.isSafeInteger(id) && Number(id) >= 0;
  if (!Array.isArray(ids) || ids.length < 2 || !ids.every(isId))
    throw new GatewayError(
      "invalid_request",
      "'token_ids' must be a list of two or more token ids.",
      {
        param: "token_ids",
      },
    );
  return { model, upstreams: await askLogprobs(model, config, ids, signal) };
}
