import type { SessionKeyLimitsConfig, SessionKeyScope } from "@proj/gateway-protocol";
import { BufferedBytes } from "../call/body-memory.ts";
import { GatewayError } from "../errors/gateway-error.ts";

/** What a request with a session key uses of its session's share, until it is settled. */
export interface SessionShare {
  readonly buffered: BufferedBytes;
  /** @throws GatewayError rate_limited: a request that came now would be too many */
  checkRate(): void;
  /** Counts a request that is answered within this one's share. @throws GatewayError rate_limited */
  spend(): void;
  leave(): void;
}

interface Held {
  readonly buffered: BufferedBytes;
  inFlight: number;
  connections: number;
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
  enter(session_id: string, scope: SessionKeyScope): SessionShare {
    const held = this.#sessions.get(session_id) ?? this.#begin();
    const { max_in_flight } = this.#limits;
    if (held.inFlight >= max_in_flight)
      throw limited(`has ${max_in_flight} requests in flight, the most that its key allows`, 1_000);
    takeToken(held, scope);
    return this.#hold("inFlight", session_id, held, scope);
  }

  /** For a connection, whose requests enter one by one. */
  connect(session_id: string, scope: SessionKeyScope): SessionShare {
    const held = this.#sessions.get(session_id) ?? this.#begin();
    return this.#hold("connections", session_id, held, scope);
  }

  #hold(
    kind: "inFlight" | "connections",
    session_id: string,
    held: Held,
    scope: SessionKeyScope,
  ): SessionShare {
    held[kind] += 1;
    // Moves it to the end of the map, which is ordered by use.
    this.#sessions.delete(session_id);
    this.#sessions.set(session_id, held);
    this.#forgetIdle();
    return {
      buffered: held.buffered,
      checkRate: () => takeToken(held, scope, 0),
      spend: () => takeToken(held, scope),
      leave: () => {
        held[kind] -= 1;
        if (isIdle(held) && scope.requests_per_second === undefined)
          this.#sessions.delete(session_id);
      },
    };
  }

  #begin(): Held {
    const buffered = new BufferedBytes(this.#limits.max_buffered_bytes, this.#buffered);
    return { buffered, inFlight: 0, connections: 0, tokens: Number.POSITIVE_INFINITY, filledAt: 0 };
  }

  #forgetIdle(): void {
    let excess = this.#sessions.size - maxIdle;
    if (excess <= 0) return;
    for (const [session_id, held] of this.#sessions) {
      if (!isIdle(held)) continue;
      this.#sessions.delete(session_id);
      excess -= 1;
      if (excess <= 0) return;
    }
  }
}

const isIdle = ({ inFlight, connections }: Held): boolean => inFlight + connections === 0;

/** @throws GatewayError rate_limited: there is none */
function takeToken(
  held: Held,
  { requests_per_second: perSecond }: SessionKeyScope,
  taken: 0 | 1 = 1,
): void {
  if (perSecond === undefined) return;
  const now = performance.now();
  const filled = held.tokens + ((now - held.filledAt) / 1_000) * perSecond;
  held.tokens = Math.min(filled, Math.max(1, perSecond));
  held.filledAt = now;
  if (held.tokens < 1) {
    const waitMs = perSecond > 0 ? (1_000 * (1 - held.tokens)) / perSecond : 60_000;
    throw limited(`may send ${perSecond} requests a second by its key`, Math.ceil(waitMs));
  }
  held.tokens -= taken;
}

function limited(what: string, retryAfterMs: number): GatewayError {
  return new GatewayError("rate_limited", `The session ${what}. Try again.`, { retryAfterMs });
}
