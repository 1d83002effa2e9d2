import type { EngineLogprobsBody } from "@proj/gateway-protocol";
import { askLogprobs } from "../engine/ask-logprobs.ts";
import { probeRoute } from "../engine/probe/probe-engines.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { goneSignal } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { readJsonObject } from "./json-body.ts";
import type { RouteEndpoint } from "./route-endpoints.ts";

/** The ids of more than a million tokens. */
const maxPromptBytes = 16 * 1024 * 1024;

/** `GET /v1/routes/{key}/engine`: asks the engines of a route for a few tokens. */
export const probeEndpoint = (dependencies: ControlDependencies): RouteEndpoint => ({
  method: "GET",
  serve: (model, _req, res) => {
    const { config } = dependencies.routes.get(model);
    return probeRoute(model, config, dependencies.engines, { signal: goneSignal(res) });
  },
});

/** `POST /v1/routes/{key}/logprobs`: asks them for the log probabilities of given tokens. */
export const logprobsEndpoint = (dependencies: ControlDependencies): RouteEndpoint => ({
  method: "POST",
  serve: async (model, req, res): Promise<EngineLogprobsBody> => {
    const { config } = dependencies.routes.get(model);
    const signal = goneSignal(res);
    const { token_ids } = await readJsonObject(req, res, dependencies, maxPromptBytes);
    if (!isPrompt(token_ids))
      throw new GatewayError(
        "invalid_request",
        "'token_ids' must be a list of two or more token ids.",
        { param: "token_ids" },
      );
    return { model, upstreams: await askLogprobs(model, config, token_ids, signal) };
  },
});

const isPrompt = (ids: unknown): ids is number[] =>
  Array.isArray(ids) && ids.length >= 2 && ids.every((id) => Number.isSafeInteger(id) && id >= 0);
