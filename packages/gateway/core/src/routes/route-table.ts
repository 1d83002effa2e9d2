import { isDeepStrictEqual } from "node:util";
import { closestNames, type RouteConfig, type TimeoutsConfig } from "@proj/gateway-protocol";
import { apiOf, type EndpointName, endpoints } from "@proj/model-apis";
import type { Route, RouteMetrics } from "../call/route.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { KeyHolds } from "../upstream/key-holds.ts";
import { RouteUpstream } from "../upstream/route-upstream.ts";
import { RouteQueue, type RouteQueueOptions } from "./route-queue.ts";
import { RouteTraffic } from "./route-traffic.ts";

type RoutesConfig = Readonly<Record<string, RouteConfig>>;

/** The routes by key. Only own keys count: `__proto__` is an unknown model like any other. */
export class RouteTable {
  #routes: ReadonlyMap<string, ServedRoute> = new Map();
  /** Of every key that was ever served, its latest route: one that comes back still knows its requests in flight. */
  readonly #latest = new Map<string, ServedRoute>();
  readonly #retired = new Set<RouteUpstream>();
  readonly #options: RouteOptions & { readonly keyHolds: KeyHolds };

  /** @throws Error names a route of the configuration that cannot be used */
  constructor(llm_routes: RoutesConfig, options: RouteOptions) {
    this.#options = { ...options, keyHolds: new KeyHolds() };
    this.replace(llm_routes);
  }

  /**
   * Serves these routes from now on. Requests in flight stay with their servers; those that wait for a place go on with
   * the route that replaces theirs, or are refused if it is gone.
   * @throws Error names a route that cannot be used; nothing is changed
   */
  replace(llm_routes: RoutesConfig): void {
    const routes = Object.entries(llm_routes).map(([model, config]) => {
      const former = this.#latest.get(model) ?? null;
      const isKept = former !== null && this.#routes.get(model) === former;
      if (isKept && isDeepStrictEqual(former.config, config)) return former;
      return new ServedRoute(model, config, former, isKept ? former.upstream : null, this.#options);
    });
    const before = this.#routes;
    this.#routes = new Map(routes.map((route) => [route.model, route]));
    for (const route of routes) {
      const former = this.#latest.get(route.model) ?? null;
      if (former === route) continue;
      this.#latest.set(route.model, route);
      route.replace(former);
      for (const { name } of endpoints)
        if (route.config.endpoints.includes(apiOf[name])) route.metrics.serve(name);
    }
    for (const route of before.values()) {
      // Now: once they had a place, they would take a step.
      if (!this.#routes.has(route.model)) route.queue.refuseAll(() => this.#unknown(route.model));
      this.#retire(route);
    }
  }

  /** Every route that has been served since the start, in its latest form. */
  get everServed(): Iterable<ServedRoute> {
    return this.#latest.values();
  }

  /** The routes that are served. */
  get served(): Iterable<ServedRoute> {
    return this.#routes.values();
  }

  /** Undefined: it is not served. */
  lookUp(model: string): ServedRoute | undefined {
    return this.#routes.get(model);
  }

  /** Closes all connections and fails everything in flight. */
  async close(): Promise<void> {
    const open = [...this.#latest.values()].map(({ upstream }) => upstream);
    await Promise.all(
      [...new Set([...open, ...this.#retired])].map((upstream) => upstream.close()),
    );
  }

  #retire(route: ServedRoute): void {
    const { upstream } = route;
    if (this.#routes.get(route.model)?.upstream === upstream || this.#retired.has(upstream)) return;
    this.#retired.add(upstream);
    void upstream.retire().then(() => this.#retired.delete(upstream));
  }

  get keys(): readonly string[] {
    return [...this.#routes.keys()];
  }

  /**
   * The route for a call of an endpoint.
   * @throws GatewayError model_not_found, naming similar route keys; endpoint_not_supported
   */
  find(model: string, endpoint: EndpointName): ServedRoute {
    const route = this.get(model);
    const { endpoints } = route.config;
    if (endpoints.includes(apiOf[endpoint])) return route;
    throw new GatewayError(
      "endpoint_not_supported",
      `Route '${model}' does not have the endpoint '${endpoint}'. It has ${endpoints.join(", ")}.`,
      { param: "model" },
    );
  }

  /** The key of the only route with the endpoint; null if none or several have it. */
  only(endpoint: EndpointName): string | null {
    const all = [...this.#routes.values()];
    const [only, ...others] = all.filter((route) =>
      route.config.endpoints.includes(apiOf[endpoint]),
    );
    return only === undefined || others.length > 0 ? null : only.model;
  }

  /** Whether any route answers over WebSockets. */
  get servesWebsockets(): boolean {
    return [...this.#routes.values()].some(
      ({ config }) => config.websockets && config.endpoints.includes("responses"),
    );
  }

  /**
   * @param opened the keys that the caller may know; undefined: all
   * @throws GatewayError model_not_found
   */
  get(model: string, opened?: readonly string[]): ServedRoute {
    const route = this.#routes.get(model);
    if (route !== undefined && opened?.includes(model) !== false) return route;
    throw this.#unknown(model, opened);
  }

  #unknown(model: string, opened: readonly string[] = this.keys): GatewayError {
    const shown = model.length > 100 ? `${model.slice(0, 100)}…` : model;
    const message = `The model '${shown}' is not a route of this gateway.${this.#hint(shown, opened)}`;
    return new GatewayError("model_not_found", message, { param: "model" });
  }

  #hint(model: string, keys: Iterable<string>): string {
    const close = closestNames(model, keys);
    if (close.length > 0) return ` Did you mean ${close.map((key) => `'${key}'`).join(" or ")}?`;
    return " GET /v1/models lists the routes.";
  }
}

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
class ServedRoute implements Route {
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
