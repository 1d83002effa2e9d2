import type { GatewayConfig } from "@proj/gateway-protocol";
import { GatewayError } from "../gateway-error.ts";
import type { Call } from "../pipeline/call.ts";
import type { Handler } from "../pipeline/stage.ts";
import { RouteUpstream } from "./route-upstream.ts";

export interface Upstreams {
  /** The innermost handler of the pipeline: sends the call to its route's upstream. */
  readonly forward: Handler<Call>;
  /** How the replicas are now, in the order of the configuration. */
  replicas(): ReplicaStatus[];
  /** Closes all connections and fails what is in flight. */
  close(): Promise<void>;
}

export interface ReplicaStatus {
  /** The route key. */
  readonly model: string;
  /** The base URL without query. */
  readonly replica: string;
  readonly ejected: boolean;
  readonly in_flight: number;
}

export interface UpstreamsOptions {
  /** A clock in milliseconds, for the ejection of replicas. @default performance.now */
  readonly now?: () => number;
  /** At least 0, below 1: the jitter of retries. @default Math.random */
  readonly random?: () => number;
}

/** @throws Error where a route of the configuration cannot be used, naming it */
export function createUpstreams(
  config: Pick<GatewayConfig, "llm_routes" | "timeouts">,
  options: UpstreamsOptions = {},
): Upstreams {
  const { timeouts } = config;
  const now = options.now ?? (() => performance.now());
  const random = options.random ?? Math.random;
  const routes = new Map<string, RouteUpstream>();
  for (const [model, route] of Object.entries(config.llm_routes)) {
    try {
      routes.set(model, new RouteUpstream({ model, route, timeouts, now, random }));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`llm_routes.${model}: ${why}`, { cause: error });
    }
  }
  return {
    forward: (call) => {
      const route = routes.get(call.model);
      if (route !== undefined) return route.forward(call);
      const message = `The model '${call.model}' has no route.`;
      return Promise.reject(new GatewayError("model_not_found", message, { param: "model" }));
    },
    replicas: () =>
      [...routes].flatMap(([model, route]) =>
        route.replicas.map(({ name, health, inFlight }) => {
          return { model, replica: name, ejected: health.ejected, in_flight: inFlight };
        }),
      ),
    close: async () => {
      await Promise.all([...routes.values()].map((route) => route.close()));
    },
  };
}
