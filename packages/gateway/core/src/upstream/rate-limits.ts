import type { Cancellation } from "../call/cancellation.ts";
import { type Hold, holdFor, type KeyHolds, noHold } from "./key-holds.ts";
import { type AnswerHead, askedDelay, mayBeRetried, wait } from "./retry.ts";

/** A longer wait is left to the callers: each gets the upstream's own answer. */
const maxHeldMs = 60_000;

/** How many requests or tokens are left until when: as OpenAI and most others say it, and as Anthropic does. */
const limits = ["requests", "tokens"].flatMap((what) => [
  { left: `x-ratelimit-remaining-${what}`, reset: `x-ratelimit-reset-${what}` },
  { left: `anthropic-ratelimit-${what}-remaining`, reset: `anthropic-ratelimit-${what}-reset` },
]);

export interface RateLimitsOptions {
  readonly random: () => number;
  /** The route's key, and where it is sent; null: the route has none. */
  readonly key: string | null;
  readonly keyHolds: KeyHolds;
}

/**
 * What one server of a route has said about its limits, for all callers: a 429 with `Retry-After` holds every request
 * with the same key until then, an overload those to this server, and a limit that is nearly reached lets only as many
 * begin as it has left.
 */
export class RateLimits {
  readonly #options: RateLimitsOptions;
  #hold = noHold;
  #left = Number.POSITIVE_INFINITY;
  /** Until the limit is reset. */
  #reset = noHold;

  constructor(options: RateLimitsOptions) {
    this.#options = options;
  }

  /**
   * Resolves when a request may be sent, at the latest after a minute or at the deadline. @throws the cancellation's
   * reason
   */
  async admit(cancellation: Cancellation, deadline: number): Promise<void> {
    const latest = Math.min(deadline, performance.now() + maxHeldMs);
    for (let hold = this.#longest(); hold.until > performance.now(); hold = this.#longest()) {
      const now = performance.now();
      if (latest <= now) break;
      const until = hold.until + this.#options.random() * hold.spreadMs;
      await wait(Math.min(until, latest) - now, cancellation);
    }
    if (performance.now() < this.#reset.until) this.#left -= 1;
  }

  /** Whether a request has to wait. */
  get isHeld(): boolean {
    return this.#longest().until > performance.now();
  }

  /** Whether requests that begin are counted. */
  get isCounting(): boolean {
    return this.#left !== Number.POSITIVE_INFINITY;
  }

  heard(head: AnswerHead): void {
    const { status, headers } = head;
    const isOverload = status === 429 || status === 503 || status === 529;
    if (isOverload && mayBeRetried(head)) this.#wait(status, askedDelay(headers) ?? 0);
    for (const { left, reset } of limits) {
      const given = headers[left];
      if (typeof given !== "string" || !/^\d{1,15}$/.test(given)) continue;
      const resetMs = durationMs(headers[reset]);
      const isTokens = left.includes("tokens");
      // How many tokens a request will take is not known, so only a limit that is reached counts.
      if (resetMs === null || resetMs > maxHeldMs || (isTokens && given !== "0")) continue;
      this.#left = Number(given);
      this.#reset = holdFor(resetMs, noHold);
    }
  }

  #wait(status: number, ms: number): void {
    if (ms === 0 || ms > maxHeldMs) return;
    const { key, keyHolds } = this.#options;
    if (status === 429 && key !== null) keyHolds.hold(key, ms);
    else this.#hold = holdFor(ms, this.#hold);
  }

  #longest(): Hold {
    const { key, keyHolds } = this.#options;
    const told = key === null ? this.#hold : later(this.#hold, keyHolds.find(key));
    return this.#left < 1 ? later(told, this.#reset) : told;
  }
}

const later = (one: Hold, other: Hold): Hold => (other.until > one.until ? other : one);

const parts =
  /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?$/;

/** `6m0s`, `1.5s`, `20ms`, seconds, or a time of RFC 3339; null: none of them. */
function durationMs(text: string | string[] | undefined): number | null {
  if (typeof text !== "string" || text === "") return null;
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return 1_000 * Number(text);
  const found = parts.exec(text);
  if (found !== null) {
    const [hours = 0, minutes = 0, seconds = 0, ms = 0] = found
      .slice(1)
      .map((part) => Number(part ?? 0));
    return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + ms;
  }
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : Math.max(0, time - Date.now());
}
