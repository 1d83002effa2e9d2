import type { GatewayConfig, RouteConfig } from "@proj/gateway-protocol";
import type { Call } from "../call/call.ts";
import type { Handler } from "../call/stage.ts";
import { routeNotFound } from "../errors/route-not-found.ts";
import { RouteUpstream } from "./route-upstream.ts";

export interface Upstreams {
  /** The innermost handler of the pipeline: sends the call to its route's upstream. */
  readonly forward: Handler<Call>;
  /**
   * Serves these routes from now on. Requests in flight stay with their servers.
   * @throws Error names a route that cannot be used; nothing is changed
   */
  replace(llm_routes: Readonly<Record<string, RouteConfig>>): void;
  /** The current state of the replicas, in the order of the configuration. */
  replicas(): ReplicaStatus[];
  /** Closes all connections and fails everything in flight. */
  close(): Promise<void>;
}

export interface ReplicaStatus {
  /** The route key. */
  readonly model: string;
  /** The base URL without its query. */
  readonly replica: string;
  readonly ejected: boolean;
  readonly in_flight: number;
}

export interface UpstreamsOptions {
  /** A clock in milliseconds, for ejecting replicas. @default performance.now */
  readonly now?: () => number;
  /** At least 0, below 1; jitters retries. @default Math.random */
  readonly random?: () => number;
}

/** @throws Error names a route of the configuration that cannot be used */
export function createUpstreams(
  config: Pick<GatewayConfig, "llm_routes" | "timeouts">,
  options: UpstreamsOptions = {},
): Upstreams {
  const { timeouts } = config;
  const now = options.now ?? (() => performance.now());
  const random = options.random ?? Math.random;
  const open = (
    llm_routes: Readonly<Record<string, RouteConfig>>,
    former: ReadonlyMap<string, RouteUpstream>,
  ): ReadonlyMap<string, RouteUpstream> => {
    const opened = new Map<string, RouteUpstream>();
    for (const [model, route] of Object.entries(llm_routes)) {
      const known = former.get(model);
      try {
        if (known?.serves(route)) opened.set(model, known);
        else opened.set(model, new RouteUpstream({ model, route, timeouts, now, random }));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`llm_routes.${model}: ${why}`, { cause: error });
      }
    }
    return opened;
  };
  let routes = open(config.llm_routes, new Map());
  const retired = new Set<RouteUpstream>();
  return {
    replace: (llm_routes) => {
      const former = routes;
      routes = open(llm_routes, former);
      const kept = new Set(routes.values());
      for (const route of former.values()) {
        if (kept.has(route)) continue;
        retired.add(route);
        void route.retire().then(() => retired.delete(route));
      }
    },
    forward: (call) => {
      const route = routes.get(call.model);
      if (route !== undefined) return route.forward(call);
      return Promise.reject(routeNotFound(call.model));
    },
    replicas: () =>
      [...routes].flatMap(([model, route]) =>
        route.replicas.map(({ name, health, inFlight }) => {
          return { model, replica: name, ejected: health.ejected, in_flight: inFlight };
        }),
      ),
    close: async () => {
      await Promise.all([...routes.values(), ...retired].map((route) => route.close()));
    },
  };
}
