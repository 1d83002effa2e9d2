import { setImmediate } from "node:timers/promises";
import type { PackedTexts } from "../bytes/packed-texts.ts";
import { giveWay } from "../scheduling/give-way.ts";

/** Events of one stream, after the first time until the last one, that had arrived with `seq` or before. */
export interface EventRange {
  readonly stream: number;
  /** All of a stream are the same: swaps of a pair, of positions in a pool, or of a token's price. */
  readonly type: "swap" | "amount" | "position" | "price";
  /** Unix seconds. */
  readonly after: number;
  /** Unix seconds. */
  readonly until: number;
  readonly seq: number;
}

/**
 * All events of some seconds in the order of their times. What is said of positions in one second is in the
 * order of its sequence, kinds and ids, whatever order it came in.
 */
export interface EventPage {
  /** Unix seconds. */
  readonly times: readonly number[];
  readonly addresses: PackedTexts;
  /** Of amounts and prices their decimals; none of swaps. */
  readonly positions: PackedTexts;
  /** Decimal integers. */
  readonly amounts: PackedTexts;
  /** After which time the next page begins; null: this is the last one. */
  readonly next: number | null;
}

/** Where events are read from, some at a time, so that no transaction lasts. */
export interface EventSource {
  /** The first of a range's events, or none where it has none. @throws StoreUnavailableError */
  page(range: EventRange): Promise<EventPage>;
}

/** All pages of a range. Each is read while the one before is used. @throws the signal's reason */
export async function* eventPages(
  source: EventSource,
  range: EventRange,
  signal: AbortSignal,
): AsyncGenerator<EventPage> {
  for (let after: number | null = range.after, next = source.page(range); after !== null; ) {
    const page: EventPage = await next;
    after = page.next;
    if (after !== null) {
      next = source.page({ ...range, after });
      // The reader that awaits it sees the error.
      next.catch(() => {});
    }
    // A thread hears of an abort between its turns only.
    await setImmediate();
    signal.throwIfAborted();
    giveWay();
    yield page;
  }
}
