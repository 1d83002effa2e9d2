import type { RouteConfig, TimeoutsConfig } from "@proj/gateway-protocol";
import type { Route, RouteMetrics } from "../call/route.ts";
import type { KeyHolds } from "../upstream/key-holds.ts";
import { RouteUpstream } from "../upstream/route-upstream.ts";
import { RouteQueue, type RouteQueueOptions } from "./route-queue.ts";
import { RouteTraffic } from "./route-traffic.ts";

export interface RouteOptions {
  readonly timeouts: TimeoutsConfig;
  /** The counters of a route; the key becomes a label. */
  readonly openMetrics: (model: string) => RouteMetrics;
  /** A clock in milliseconds. @default performance.now */
  readonly now?: () => number;
  /** At least 0, below 1; jitters retries. @default Math.random */
  readonly random?: () => number;
}

/** A route with one configuration. Another configuration is another route, which replaces this one. */
export class ServedRoute implements Route {
  readonly model: string;
  readonly config: RouteConfig;
  readonly queue: RouteQueue;
  readonly upstream: RouteUpstream;
  readonly metrics: RouteMetrics;
  readonly traffic: RouteTraffic;
  #successor: ServedRoute | null = null;

  /**
   * @param former the route that had this key before, if any: its requests in flight, its counters and its
   * traffic are this one's too
   * @param known the former route's servers if it is still served: they are kept if they are the same
   * @throws Error names the route if it cannot be used; nothing is changed
   */
  constructor(
    model: string,
    config: RouteConfig,
    former: ServedRoute | null,
    known: RouteUpstream | null,
    options: RouteOptions & { readonly keyHolds: KeyHolds },
  ) {
    const { keyHolds, timeouts, openMetrics } = options;
    const { now = () => performance.now(), random = Math.random } = options;
    this.model = model;
    this.config = config;
    try {
      this.upstream = known?.serves(config)
        ? known
        : new RouteUpstream({ model, route: config, keyHolds, timeouts, now, random });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`llm_routes.${model}: ${why}`, { cause: error });
    }
    this.queue = former?.queue ?? new RouteQueue(queueOptions(model, config));
    this.metrics = former?.metrics ?? openMetrics(model);
    this.traffic = former?.traffic ?? new RouteTraffic(now);
  }

  get latest(): ServedRoute {
    return this.#successor?.latest ?? this;
  }

  /** Serves in place of the former route from now on: calls that wait for a place go on with this one. */
  replace(former: ServedRoute | null): void {
    this.queue.configure(queueOptions(this.model, this.config));
    if (former !== null) former.#successor = this;
  }
}

function queueOptions(
  model: string,
  { max_concurrency, max_queue, queue_timeout_s }: RouteConfig,
): RouteQueueOptions {
  const queueTimeoutMs = 1_000 * queue_timeout_s;
  return { model, maxConcurrency: max_concurrency, maxQueue: max_queue, queueTimeoutMs };
}
