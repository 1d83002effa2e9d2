import { setTimeout as delay } from "node:timers/promises";
import type { RouteStatusBody } from "@proj/gateway-protocol";
import type {
  GatewayReport,
  RouteChange,
  RoutePause,
  RouteState,
  SessionStore,
} from "@proj/session-store";
import { GatewayError } from "../errors/gateway-error.ts";
import { readStorage } from "../session/read-storage.ts";
import type { RouteQueue } from "./route-queue.ts";
import type { RouteTable } from "./route-table.ts";

export interface ObeyedOptions {
  readonly timeoutMs: number;
  /** Aborts when the caller leaves. */
  readonly gone: AbortSignal;
}

/** Interval between two exchanges with the other gateways, in milliseconds. */
const exchangeEveryMs = 250;
/** A gateway that has reported nothing for this long is considered gone, in milliseconds. */
const goneAfterMs = 30_000;

/**
 * Pauses routes and resumes them with other weights. The state is stored before a request is answered: every
 * gateway on the storage obeys it, and a restarted gateway begins with it.
 */
export class RouteControl {
  readonly #routes: RouteTable;
  readonly #store: SessionStore;
  /** The states that this gateway obeys. */
  readonly #states = new Map<string, RouteState>();
  #others: readonly GatewayReport[] = [];
  /** Resolves at the end of each exchange. */
  #heard = Promise.withResolvers<void>();
  #changing: Promise<unknown> = Promise.resolve();
  readonly #ending = new AbortController();
  #exchanging: Promise<void> | null = null;

  constructor(routes: RouteTable, store: SessionStore) {
    this.#routes = routes;
    this.#store = store;
  }

  /** Applies the stored states before anything is served. */
  begin(states: readonly RouteState[]): void {
    for (const state of states) this.#obey(state);
    if (this.#store.isShared) this.#exchanging = this.#exchangeForEver();
  }

  /** Routes were added: applies earlier pauses to them. */
  routesChanged(): void {
    for (const { model, queue } of this.#routes.served) this.#apply(model, queue);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#exchanging;
  }

  statuses(): RouteStatusBody[] {
    return [...this.#routes.served].map(({ model }) => this.status(model));
  }

  /** @throws GatewayError model_not_found */
  status(model: string): RouteStatusBody {
    const { inFlight, waiting, weight_version } = this.#queue(model);
    const pause = this.#states.get(model)?.pause ?? null;
    return { model, pause, weight_version, in_flight: inFlight, waiting };
  }

  /**
   * Resolves when every gateway holds or refuses the route's requests and, for `drain`, none is in flight
   * anywhere. If that takes too long, the pause stays.
   * @throws GatewayError model_not_found, storage_unavailable, route_not_paused
   */
  async pause(model: string, pause: RoutePause, options: ObeyedOptions): Promise<RouteStatusBody> {
    // Before the pause is stored: from here on, this gateway forwards nothing.
    const queue = this.#queue(model);
    queue.pause(pause === "refuse");
    const state = await this.#change({ model, pause }).catch((error: unknown) => {
      this.#apply(model, queue);
      throw error;
    });
    await this.#obeyed(state, options);
    return this.status(model);
  }

  /** @throws GatewayError model_not_found, storage_unavailable: then the state is unchanged */
  async resume(model: string, weight_version: string | undefined): Promise<RouteStatusBody> {
    this.#queue(model);
    await this.#change({ model, pause: null, weight_version });
    return this.status(model);
  }

  /** One after the other, so that the last change requested wins. */
  #change(change: RouteChange): Promise<RouteState> {
    const changed = this.#changing.then(async () => {
      const state = await readStorage(this.#store.changeRoute(change));
      this.#obey(state);
      return state;
    });
    this.#changing = changed.catch(() => {});
    return changed;
  }

  #obey(state: RouteState): void {
    const { model, revision } = state;
    if (revision <= (this.#states.get(model)?.revision ?? 0)) return;
    this.#states.set(model, state);
    const route = this.#routes.lookUp(model);
    if (route !== undefined) this.#apply(model, route.queue);
  }

  #apply(model: string, queue: RouteQueue): void {
    const { pause = null, weight_version = null } = this.#states.get(model) ?? {};
    queue.weight_version = weight_version;
    if (pause === null) queue.resume();
    else queue.pause(pause === "refuse");
  }

  async #obeyed({ model, pause, revision }: RouteState, options: ObeyedOptions): Promise<void> {
    const { timeoutMs, gone } = options;
    const until = performance.now() + timeoutMs;
    const queue = this.#queue(model);
    const drains = pause === "drain";
    const isObeyed = ({ silent_ms, routes }: GatewayReport): boolean => {
      if (silent_ms > goneAfterMs) return true;
      const report = routes.find((route) => route.model === model);
      return (
        report !== undefined && report.revision >= revision && !(drains && report.in_flight > 0)
      );
    };
    // Reports from before the pause was stored do not count.
    let isNews = this.#exchanging === null;
    while (!gone.aborted && !this.#ending.signal.aborted) {
      const isDrained = !drains || queue.inFlight === 0;
      if (isDrained && isNews && this.#others.every(isObeyed)) return;
      const leftMs = until - performance.now();
      if (leftMs <= 0) throw notDrained(model, drains, timeoutMs);
      const { promise: isUp, resolve } = Promise.withResolvers<void>();
      const end = (): void => resolve();
      const timer = setTimeout(end, leftMs);
      gone.addEventListener("abort", end);
      const told = this.#exchanging === null ? queue.drained() : this.#heard.promise;
      await Promise.race([told, isUp]);
      clearTimeout(timer);
      gone.removeEventListener("abort", end);
      isNews = true;
    }
  }

  #queue(model: string): RouteQueue {
    return this.#routes.get(model).queue;
  }

  async #exchangeForEver(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const routes = [...this.#states.values()].map(({ model, revision }) => {
        return { model, revision, in_flight: this.#routes.lookUp(model)?.queue.inFlight ?? 0 };
      });
      try {
        const { states, others } = await this.#store.exchangeRoutes(routes);
        this.#others = others;
        for (const state of states) this.#obey(state);
        const { resolve } = this.#heard;
        this.#heard = Promise.withResolvers();
        resolve();
      } catch {
        // Readiness reports whether storage can be reached.
      }
      await delay(exchangeEveryMs, undefined, { signal }).catch(() => {});
    }
    await this.#store.leaveRoutes().catch(() => {});
  }
}

function notDrained(model: string, drains: boolean, timeoutMs: number): GatewayError {
  const what = drains
    ? "has requests in flight, or a gateway that does not answer"
    : "has a gateway that does not answer";
  return new GatewayError(
    "route_not_paused",
    `Route '${model}' still ${what} after ${timeoutMs} ms. It stays paused; ask again to keep waiting.`,
    { retryAfterMs: 1_000 },
  );
}
