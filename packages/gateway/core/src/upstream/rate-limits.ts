import type { Cancellation } from "../call/cancellation.ts";
import { type AnswerHead, askedDelay, mayBeRetried, wait } from "./retry.ts";

/** A longer wait is left to the callers: each gets the upstream's own answer. */
const maxHeldMs = 60_000;
/** Bounds of the time over which held requests are spread once they may go on, in milliseconds. */
const [leastSpreadMs, maxSpreadMs] = [50, 2_000];

/** How many requests or tokens are left until when: as OpenAI and most others say it, and as Anthropic does. */
const limits = ["requests", "tokens"].flatMap((what) => [
  { left: `x-ratelimit-remaining-${what}`, reset: `x-ratelimit-reset-${what}` },
  { left: `anthropic-ratelimit-${what}-remaining`, reset: `anthropic-ratelimit-${what}-reset` },
]);

/**
 * What one server of a route has said about its limits, for all callers: a 429 with `Retry-After` holds every request
 * to it until then, and a limit that is nearly reached lets only as many begin as it has left.
 */
export class RateLimits {
  readonly #random: () => number;
  /** By `performance.now()`. */
  #heldUntil = 0;
  #spreadMs = leastSpreadMs;
  #left = Number.POSITIVE_INFINITY;
  #resetAt = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Resolves when a request may be sent, at the latest after a minute or at the deadline. @throws the cancellation's
   * reason
   */
  async admit(cancellation: Cancellation, deadline: number): Promise<void> {
    const latest = Math.min(deadline, performance.now() + maxHeldMs);
    for (let ms = this.#heldMs(); ms > 0; ms = this.#heldMs()) {
      const left = latest - performance.now();
      if (left <= 0) break;
      await wait(Math.min(ms + this.#random() * this.#spreadMs, left), cancellation);
    }
    if (performance.now() < this.#resetAt) this.#left -= 1;
  }

  /** Whether a request has to wait. */
  get isHeld(): boolean {
    return this.#heldMs() > 0;
  }

  /** Whether requests that begin are counted. */
  get isCounting(): boolean {
    return this.#left !== Number.POSITIVE_INFINITY;
  }

  heard(head: AnswerHead): void {
    const { status, headers } = head;
    const isOverload = status === 429 || status === 503 || status === 529;
    if (isOverload && mayBeRetried(head)) this.#hold(askedDelay(headers) ?? 0);
    for (const { left, reset } of limits) {
      const given = headers[left];
      if (typeof given !== "string" || !/^\d{1,15}$/.test(given)) continue;
      const resetMs = durationMs(headers[reset]);
      const isTokens = left.includes("tokens");
      // How many tokens a request will take is not known, so only a limit that is reached counts.
      if (resetMs === null || resetMs > maxHeldMs || (isTokens && given !== "0")) continue;
      this.#left = Number(given);
      this.#resetAt = performance.now() + resetMs;
      this.#spread(resetMs);
    }
  }

  #hold(ms: number): void {
    if (ms === 0 || ms > maxHeldMs) return;
    this.#heldUntil = Math.max(this.#heldUntil, performance.now() + ms);
    this.#spread(ms);
  }

  #spread(ms: number): void {
    this.#spreadMs = Math.min(Math.max(ms / 4, leastSpreadMs), maxSpreadMs);
  }

  #heldMs(): number {
    const now = performance.now();
    const untilReset = this.#left < 1 ? this.#resetAt - now : 0;
    return Math.max(this.#heldUntil - now, untilReset);
  }
}

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
