import type { RouteConfig } from "@proj/gateway-protocol";
import { GatewayError } from "../gateway-error.ts";
import type { Cancellation } from "./cancellation.ts";

interface Waiter {
  readonly key: string;
  readonly grant: () => void;
  readonly refuse: (error: unknown) => void;
}

export interface RouteQueueOptions {
  readonly model: string;
  readonly maxConcurrency: number;
  readonly maxQueue: number;
  readonly queueTimeoutMs: number;
}

export function createRouteQueues(
  llm_routes: Readonly<Record<string, RouteConfig>>,
): ReadonlyMap<string, RouteQueue> {
  const queues = Object.entries(llm_routes).map(([model, route]) => {
    const { max_concurrency: maxConcurrency, max_queue: maxQueue } = route;
    const queueTimeoutMs = 1_000 * route.queue_timeout_s;
    return [model, new RouteQueue({ model, maxConcurrency, maxQueue, queueTimeoutMs })] as const;
  });
  return new Map(queues);
}

/**
 * The places of a route. Who finds none free waits: one turn for each key (a session, or an
 * unbound caller) after the other, within a key first in, first out.
 */
export class RouteQueue {
  readonly #options: RouteQueueOptions;
  /** In the order of their turns; a key with nobody waiting has no entry. */
  readonly #waiting = new Map<string, Waiter[]>();
  #waitingCount = 0;
  #inFlight = 0;

  constructor(options: RouteQueueOptions) {
    this.#options = options;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  /** Takes a place at once, or returns false. */
  tryAcquire(): boolean {
    if (this.#inFlight >= this.#options.maxConcurrency) return false;
    this.#inFlight += 1;
    return true;
  }

  /** Resolves once the caller has a place. @throws GatewayError route_saturated, or the cancellation's reason */
  acquire(key: string, cancellation: Cancellation): Promise<void> {
    const { reason } = cancellation;
    if (reason !== null) return Promise.reject(reason);
    if (this.tryAcquire()) return Promise.resolve();
    const { maxQueue, queueTimeoutMs } = this.#options;
    if (this.#waitingCount >= maxQueue && !this.#displaceFor(key))
      return Promise.reject(this.#saturated(`its queue of ${maxQueue} is full`));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#remove(waiter);
        waiter.refuse(this.#saturated(`no place came free in ${queueTimeoutMs} ms`));
      }, queueTimeoutMs);
      const stopListening = cancellation.onCancel((reason) => {
        this.#remove(waiter);
        waiter.refuse(reason);
      });
      const settle = () => {
        clearTimeout(timer);
        stopListening();
      };
      const waiter: Waiter = {
        key,
        grant: () => {
          settle();
          resolve();
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      this.#add(waiter);
    });
  }

  /** Gives a place back; whose turn it is gets it in the same step. */
  release(): void {
    const turn = this.#waiting.entries().next();
    if (turn.done) {
      this.#inFlight -= 1;
      return;
    }
    const [key, waiters] = turn.value;
    const waiter = waiters.shift();
    this.#waiting.delete(key);
    if (waiters.length > 0) this.#waiting.set(key, waiters);
    this.#waitingCount -= 1;
    waiter?.grant();
  }

  #add(waiter: Waiter): void {
    const waiters = this.#waiting.get(waiter.key);
    if (waiters === undefined) this.#waiting.set(waiter.key, [waiter]);
    else waiters.push(waiter);
    this.#waitingCount += 1;
  }

  #remove(waiter: Waiter): boolean {
    const waiters = this.#waiting.get(waiter.key);
    const index = waiters?.indexOf(waiter) ?? -1;
    if (waiters === undefined || index < 0) return false;
    waiters.splice(index, 1);
    if (waiters.length === 0) this.#waiting.delete(waiter.key);
    this.#waitingCount -= 1;
    return true;
  }

  /** In a full queue the newest waiter of who has most gives way to who has fewer. */
  #displaceFor(key: string): boolean {
    let most: Waiter[] = [];
    for (const waiters of this.#waiting.values()) if (waiters.length > most.length) most = waiters;
    const mine = this.#waiting.get(key)?.length ?? 0;
    const newest = most.at(-1);
    if (newest === undefined || most.length <= mine + 1) return false;
    this.#remove(newest);
    newest.refuse(this.#saturated("its queue is full, and others wait with fewer requests"));
    return true;
  }

  #saturated(why: string): GatewayError {
    const { model, maxConcurrency } = this.#options;
    return new GatewayError(
      "route_saturated",
      `Route '${model}' has ${maxConcurrency} requests in flight, and ${why}. Try again.`,
      { retryAfterMs: 1_000 },
    );
  }
}
