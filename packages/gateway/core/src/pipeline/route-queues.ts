import type { RouteConfig } from "@proj/gateway-protocol";
import { routeNotFound } from "../errors/route-not-found.ts";
import { RouteQueue, type RouteQueueOptions } from "./route-queue.ts";

/** The queues of the routes that are served. */
export class RouteQueues {
  /** Queues of every route that ever existed: a route that comes back still knows its requests in flight. */
  readonly #all = new Map<string, RouteQueue>();
  #served: ReadonlySet<string> = new Set();

  constructor(llm_routes: Readonly<Record<string, RouteConfig>>) {
    this.replace(llm_routes);
  }

  replace(llm_routes: Readonly<Record<string, RouteConfig>>): void {
    for (const [model, route] of Object.entries(llm_routes)) {
      const options = optionsOf(model, route);
      const queue = this.#all.get(model);
      if (queue === undefined) this.#all.set(model, new RouteQueue(options));
      else queue.configure(options);
    }
    const removed = [...this.#served].filter((model) => !Object.hasOwn(llm_routes, model));
    this.#served = new Set(Object.keys(llm_routes));
    // Now: once they had a place, they would take a step and find no upstream.
    for (const model of removed) this.#all.get(model)?.refuseAll(() => routeNotFound(model));
  }

  get(model: string): RouteQueue | undefined {
    return this.#served.has(model) ? this.#all.get(model) : undefined;
  }

  keys(): Iterable<string> {
    return this.#served;
  }
}

function optionsOf(
  model: string,
  { max_concurrency, max_queue, queue_timeout_s }: RouteConfig,
): RouteQueueOptions {
  const queueTimeoutMs = 1_000 * queue_timeout_s;
  return { model, maxConcurrency: max_concurrency, maxQueue: max_queue, queueTimeoutMs };
}
