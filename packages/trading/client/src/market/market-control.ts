import { randomUUID } from "node:crypto";
import { Temporal } from "temporal-polyfill";
import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import type { Call } from "../calls/sender.ts";
import type { Link } from "../connection/link.ts";
import { dataOf } from "../reading/answer-fields.ts";
import { readPayload } from "../reading/payload.ts";
import { untilAborted } from "../waiting/until-aborted.ts";

/** Where a market is that moves only on demand. */
export interface MarketTime {
  readonly now: Temporal.Instant;
  /** There are no more prices, for example because the price file has ended. */
  readonly isOver: boolean;
}

/** Moves a market of speed 0, for backtests that repeat. Our own addition to the interface. */
export interface MarketControl {
  /**
   * Moves the market through every price until then, and resolves once this client has everything that happened:
   * prices have been emitted, tables are current. Only one client may move a market.
   * @param by market milliseconds, or the time to move to
   * @throws RefusalError (code 34) the market moves by itself
   * @throws ApiError (404) the server does not offer it
   */
  advance(
    by: number | { readonly to: Temporal.Instant },
    options?: CallOptions,
  ): Promise<MarketTime>;
  time(options?: CallOptions): Promise<MarketTime>;
}

const path = "/control/advance";
/** The push that follows everything which happened until the end of an advance. */
const event = "Advanced";

const timeCall: Call<MarketTime> = { method: "GET", path, isIdempotent: true, read: readTime };

export function createMarketControl(caller: Caller): MarketControl {
  return {
    time: (options = {}) => caller.call(timeCall, options),
    advance: (by, options = {}) =>
      caller.within({ method: "POST", path }, options, async (signal) => {
        const { now } = await caller.call(timeCall, { signal, timeoutMs: 0 });
        const to = typeof by === "number" ? now.add({ milliseconds: by }) : by.to;
        // Moving to a time twice is the same as once, so it can start over when the connection breaks.
        return caller.overOneLink(signal, (link, linkSignal) =>
          advanceOver(caller, link, to, linkSignal),
        );
      }),
  };
}

async function advanceOver(
  { send }: Caller,
  link: Link,
  to: Temporal.Instant,
  signal: AbortSignal,
): Promise<MarketTime> {
  const id = randomUUID();
  const arrived = Promise.withResolvers<void>();
  link.on(event, (payload) => {
    if (Object(readPayload(payload)).id === id) arrived.resolve();
  });
  const fields = { to: to.epochMilliseconds, id };
  const call = { method: "POST", path, fields, isIdempotent: true, read: readTime } as const;
  try {
    const time = await send(call, () => link, signal);
    await untilAborted(arrived.promise, signal);
    return time;
  } finally {
    link.off(event);
  }
}

function readTime(answer: Parameters<typeof dataOf>[0]): MarketTime {
  const { now, is_over } = dataOf(answer);
  if (typeof now !== "number") throw new TypeError(`"now" is not a time`);
  return { now: Temporal.Instant.fromEpochMilliseconds(now), isOver: is_over === true };
}
