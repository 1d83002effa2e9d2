import type { RouteConfig } from "@proj/gateway-protocol";
import { endpointsByName } from "@proj/model-apis";
import { GatewayError } from "../errors/gateway-error.ts";
import { LiveUpstream } from "../upstream/live-upstream.ts";

/**
 * What becomes of the answers that an engine is sampling when it is paused: `abort` cuts them off, `wait` lets them
 * end, `keep` goes on with them after the pause.
 */
export type EnginePause = "abort" | "wait" | "keep";

export const enginePauses: readonly EnginePause[] = ["abort", "wait", "keep"];

interface EngineOrder {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Pauses all engines of a route in one of their own modes.
 * @throws GatewayError invalid_request: the route has no engine, or the engine no such mode; upstream_unreachable,
 * upstream_invalid_response
 */
export async function pauseEngine(
  model: string,
  route: RouteConfig,
  mode: EnginePause,
  timeoutMs: number,
): Promise<void> {
  const { engine } = route;
  if (engine === "sglang" && mode === "wait")
    throw invalid(model, "SGLang cannot pause with 'wait'; drain the route instead");
  const sglang = { path: "/pause_generation", body: { mode: mode === "keep" ? "in_place" : mode } };
  const vllm = { path: `/pause?mode=${mode}`, body: {} };
  await order(model, route, [engine === "sglang" ? sglang : vllm], timeoutMs);
}

/** Lets them go on, with the version of their weights if they can be told. Throws as `pauseEngine`. */
export async function resumeEngine(
  model: string,
  route: RouteConfig,
  weight_version: string | undefined,
  timeoutMs: number,
): Promise<void> {
  // SGLang would abort the answers that are to go on.
  const kept = route.engine === "sglang" ? { abort_all_requests: false } : {};
  const named =
    weight_version === undefined
      ? []
      : [{ path: "/update_weight_version", body: { new_version: weight_version, ...kept } }];
  const path = route.engine === "sglang" ? "/continue_generation" : "/resume";
  await order(model, route, [...named, { path, body: {} }], timeoutMs);
}

async function order(
  model: string,
  route: RouteConfig,
  orders: readonly EngineOrder[],
  timeoutMs: number,
): Promise<void> {
  if (route.engine === null) throw invalid(model, "the route has no engine");
  const { chat_completions } = endpointsByName;
  await Promise.all(
    route.base_urls.map(async (baseUrl) => {
      const upstream = new LiveUpstream(baseUrl, route, chat_completions, { timeoutMs });
      for (const { path, body } of orders) {
        const reply = await upstream.askServer(path, body).catch((cause: unknown) => {
          const message = `The engine of route '${model}' cannot be paused: it is not reachable.`;
          throw new GatewayError("upstream_unreachable", message, { cause });
        });
        if (reply.status !== 200) throw refused(model, path, reply.status);
      }
    }),
  );
}

function refused(model: string, path: string, status: number): GatewayError {
  const how = status === 404 ? " Start vLLM with VLLM_SERVER_DEV_MODE=1." : "";
  return new GatewayError(
    "upstream_invalid_response",
    `The engine of route '${model}' answers ${status} to ${path}.${how}`,
    { retryable: false },
  );
}

const invalid = (model: string, why: string): GatewayError =>
  new GatewayError("invalid_request", `Route '${model}' cannot pause its engine: ${why}.`, {
    param: "engine",
  });
