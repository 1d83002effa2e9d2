import type { SessionKeyLimitsConfig, SessionKeyScope } from "@proj/gateway-protocol";
import { BufferedBytes } from "../call/buffered-bytes.ts";
import { GatewayError } from "../errors/gateway-error.ts";

/** What a request with a session key uses of its session's share, until it is settled. */
export interface SessionShare {
  readonly buffered: BufferedBytes;
  leave(): void;
}

interface Held {
  readonly buffered: BufferedBytes;
  inFlight: number;
  /** Requests that may come now, as of `filledAt` in milliseconds of `performance.now()`. */
  tokens: number;
  filledAt: number;
}

/** A session that was idle while this many others sent requests has got nearly all its tokens back. */
const maxIdle = 100_000;

/** What each session uses through its session key, so that one agent cannot shut out the others. */
export class SessionShares {
  readonly #limits: SessionKeyLimitsConfig;
  readonly #buffered: BufferedBytes;
  readonly #sessions = new Map<string, Held>();

  constructor(limits: SessionKeyLimitsConfig, buffered: BufferedBytes) {
    this.#limits = limits;
    this.#buffered = buffered;
  }

  /** @throws GatewayError rate_limited */
  enter(session_id: string, { requests_per_second }: SessionKeyScope): SessionShare {
    const held = this.#sessions.get(session_id) ?? this.#begin();
    const { max_in_flight } = this.#limits;
    if (held.inFlight >= max_in_flight)
      throw limited(`has ${max_in_flight} requests in flight, the most that its key allows`, 1_000);
    if (requests_per_second !== undefined) takeToken(held, requests_per_second);
    held.inFlight += 1;
    // Moves it to the end of the map, which is ordered by use.
    this.#sessions.delete(session_id);
    this.#sessions.set(session_id, held);
    this.#forgetIdle();
    return {
      buffered: held.buffered,
      leave: () => {
        held.inFlight -= 1;
        if (held.inFlight === 0 && requests_per_second === undefined)
          this.#sessions.delete(session_id);
      },
    };
  }

  #begin(): Held {
    const buffered = new BufferedBytes(this.#limits.max_buffered_bytes, this.#buffered);
    return { buffered, inFlight: 0, tokens: Number.POSITIVE_INFINITY, filledAt: 0 };
  }

  #forgetIdle(): void {
    let excess = this.#sessions.size - maxIdle;
    if (excess <= 0) return;
    for (const [session_id, { inFlight }] of this.#sessions) {
      if (inFlight > 0) continue;
      this.#sessions.delete(session_id);
      excess -= 1;
      if (excess <= 0) return;
    }
  }
}

/** @throws GatewayError rate_limited */
function takeToken(held: Held, perSecond: number): void {
  const now = performance.now();
  const filled = held.tokens + ((now - held.filledAt) / 1_000) * perSecond;
  held.tokens = Math.min(filled, Math.max(1, perSecond));
  held.filledAt = now;
  if (held.tokens < 1) {
    const waitMs = perSecond > 0 ? (1_000 * (1 - held.tokens)) / perSecond : 60_000;
    throw limited(`may send ${perSecond} requests a second by its key`, Math.ceil(waitMs));
  }
  held.tokens -= 1;
}

function limited(what: string, retryAfterMs: number): GatewayError {
  return new GatewayError("rate_limited", `The session ${what}. Try again.`, { retryAfterMs });
}
