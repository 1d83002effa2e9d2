import { setImmediate } from "node:timers/promises";
import type { PackedTexts } from "../bytes/packed-texts.ts";
import { giveWay } from "../scheduling/give-way.ts";

/** Events of one stream, after the first time up to the last one, that had arrived with `seq` or a smaller one. */
export interface EventRange {
  readonly stream: number;
  /** All events of a stream have the same type: swaps of a pair, positions in a pool, or prices of a token. */
  readonly type: "swap" | "amount" | "position" | "price";
  /** Unix seconds. */
  readonly after: number;
  /** Unix seconds. */
  readonly until: number;
  readonly seq: number;
}

/**
 * All events of some seconds, in chronological order. Events of positions in the same second are ordered by
 * sequence, kind and id, in whatever order they arrived.
 */
export interface EventPage {
  /** Unix seconds. */
  readonly times: readonly number[];
  readonly addresses: PackedTexts;
  /** The decimals of amounts and prices; empty for swaps. */
  readonly positions: PackedTexts;
  /** Decimal integers. */
  readonly amounts: PackedTexts;
  /** The next page begins after this time; null: this is the last page. */
  readonly next: number | null;
}

/** Reads events in pages, so that no transaction lasts long. */
export interface EventSource {
  /** The first events of a range; none if it is empty. @throws StoreUnavailableError */
  page(range: EventRange): Promise<EventPage>;
}

/** All pages of a range. Each is read while the previous one is used. @throws the signal's reason */
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
      // The error is thrown when `next` is awaited.
      next.catch(() => {});
    }
    // A thread receives an abort message only between turns of its event loop.
    await setImmediate();
    signal.throwIfAborted();
    giveWay();
    yield page;
  }
}
