import type { Cancellation } from "../call/cancellation.ts";
import { GatewayError } from "../errors/gateway-error.ts";

interface Waiter {
  readonly key: string;
  /** How many places the key may hold. */
  readonly most: number;
  readonly grant: () => void;
  readonly refuse: (error: unknown) => void;
}

export interface RouteQueueOptions {
  readonly model: string;
  readonly maxConcurrency: number;
  readonly maxQueue: number;
  readonly queueTimeoutMs: number;
}

/**
 * The places of a route. A request that finds none free waits: keys (a session, or an unbound caller) take
 * turns, and within a key it is first in, first out.
 */
export class RouteQueue {
  #options: RouteQueueOptions;
  /** In the order of turns; a key without waiters has no entry. */
  readonly #waiting = new Map<string, Waiter[]>();
  /** Places held by each key that may not have all of them. */
  readonly #held = new Map<string, number>();
  #waitingCount = 0;
  #inFlight = 0;
  #pause: "hold" | "refuse" | null = null;
  #onDrained: (() => void)[] = [];
  /** The weights for requests that get a place from now on; null if no resume has named any. */
  weight_version: string | null = null;

  constructor(options: RouteQueueOptions) {
    this.#options = options;
  }

  /** Requests that have a place keep it, and waiting ones keep their time limit. */
  configure(options: RouteQueueOptions): void {
    this.#options = options;
    if (this.#pause === null) this.resume();
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  get isPaused(): boolean {
    return this.#pause !== null;
  }

  /** Gives out no more places: requests wait or are refused. */
  pause(refuses: boolean): void {
    this.#pause = refuses ? "refuse" : "hold";
    if (refuses) this.refuseAll(() => this.#paused());
  }

  /** Refuses every waiting request. Those that have a place keep it. */
  refuseAll(why: () => GatewayError): void {
    for (const waiters of [...this.#waiting.values()])
      for (const waiter of [...waiters]) {
        this.#remove(waiter);
        waiter.refuse(why());
      }
  }

  /** Gives the free places to waiting requests. */
  resume(): void {
    this.#pause = null;
    while (this.#inFlight < this.#options.maxConcurrency && this.#grantNext()) this.#inFlight += 1;
  }

  /** Resolves once no place is taken. */
  drained(): Promise<void> {
    if (this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onDrained.push(resolve);
    });
  }

  /**
   * Takes a place at once, or returns false.
   * @param most how many places the key may hold; infinite: all, and the key is not counted
   */
  tryAcquire(key: string = "", most: number = Number.POSITIVE_INFINITY): boolean {
    const { maxConcurrency } = this.#options;
    if (this.#pause !== null || this.#inFlight >= maxConcurrency || !this.#mayHold(key, most))
      return false;
    this.#inFlight += 1;
    this.#count(key, most, 1);
    return true;
  }

  /**
   * Resolves once the request has a place. @throws GatewayError route_saturated, or the cancellation's reason
   */
  acquire(
    key: string,
    cancellation: Cancellation,
    most: number = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const { reason } = cancellation;
    if (reason !== null) return Promise.reject(reason);
    if (this.tryAcquire(key, most)) return Promise.resolve();
    if (this.#pause === "refuse") return Promise.reject(this.#paused());
    const { maxQueue, queueTimeoutMs } = this.#options;
    if (this.#waitingCount >= maxQueue && !this.#displaceFor(key))
      return Promise.reject(this.#saturated(`its queue of ${maxQueue} is full`));
    return new Promise((resolve, reject) => {
      const expire = (): void => {
        // The limit is for full queues, not for pauses: it starts again.
        if (this.#pause !== null) {
          timer = setTimeout(expire, queueTimeoutMs);
          return;
        }
        this.#remove(waiter);
        waiter.refuse(this.#saturated(`no place came free in ${queueTimeoutMs} ms`));
      };
      let timer = setTimeout(expire, queueTimeoutMs);
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
        most,
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

  /** Gives a place back, with the arguments of `acquire`; the next in turn gets it in the same step. */
  release(key: string = "", most: number = Number.POSITIVE_INFINITY): void {
    this.#count(key, most, -1);
    // After the limit was lowered, places that come free are not given out until it holds.
    const isWithinLimit = this.#inFlight <= this.#options.maxConcurrency;
    if (this.#pause === null && isWithinLimit && this.#grantNext()) return;
    this.#inFlight -= 1;
    if (this.#inFlight > 0) return;
    const drained = this.#onDrained;
    this.#onDrained = [];
    for (const resolve of drained) resolve();
  }

  /** Gives a place to the next waiter in turn; false if no waiter may have it. */
  #grantNext(): boolean {
    for (const [next, waiters] of this.#waiting) {
      const [waiter] = waiters;
      // A key that holds all its places misses its turn until it gives one back.
      if (waiter === undefined || !this.#mayHold(next, waiter.most)) continue;
      waiters.shift();
      this.#waiting.delete(next);
      if (waiters.length > 0) this.#waiting.set(next, waiters);
      this.#waitingCount -= 1;
      this.#count(next, waiter.most, 1);
      waiter.grant();
      return true;
    }
    return false;
  }

  #mayHold(key: string, most: number): boolean {
    return most === Number.POSITIVE_INFINITY || (this.#held.get(key) ?? 0) < most;
  }

  #count(key: string, most: number, change: 1 | -1): void {
    if (most === Number.POSITIVE_INFINITY) return;
    const held = (this.#held.get(key) ?? 0) + change;
    if (held === 0) this.#held.delete(key);
    else this.#held.set(key, held);
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

  /** When the queue is full, the key with the most waiters gives up its newest one to a key with fewer. */
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

  #paused(): GatewayError {
    const message = `Route '${this.#options.model}' is paused. Try again.`;
    return new GatewayError("route_paused", message, { retryAfterMs: 5_000 });
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
