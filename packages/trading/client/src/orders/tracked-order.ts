import type { CallOptions } from "../calls/call-options.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import type { TableChange } from "../tables/table-change.ts";
import { Reader } from "../waiting/reader.ts";
import { untilAborted } from "../waiting/until-aborted.ts";
import { withDeadline } from "../waiting/with-deadline.ts";
import {
  type OpenPositionRecord,
  type OrderRecord,
  type OrderStatus,
  orderStatus,
} from "../wire/index.ts";
import type { OrderHandle, OrderOutcome } from "./order-handle.ts";

/** What the request says about an order. */
export interface ExpectedOrder {
  /** Thousands; null: taken from the server. */
  readonly amount: number | null;
  readonly isEntryOrder: boolean;
  /** How long `ended` waits by default, in milliseconds; 0: forever. */
  readonly timeoutMs: number;
}

/** A row of OpenPosition or ClosedPosition. */
export type FilledPosition = Pick<OpenPositionRecord, "tradeId" | "amountK" | "open" | "close"> & {
  readonly closeOrderId?: string;
};

/** An order followed by its pushes. */
export class TrackedOrder implements OrderHandle {
  readonly orderId: string;
  /** Whether pushes may have been missed. */
  mayHaveMissedPushes = false;
  #timeoutMs = 0;
  /** The status pushed with its end; null: not pushed. */
  #status: OrderStatus | null = null;
  /** Ordered thousands; null: not known yet. */
  #amount: number | null = null;
  /** The amount of an entry order that has not begun to fill; null: it is not such an order. */
  #resting: number | null = null;
  /** Filled so far, as pushed or as the position tables show; null: unknown. */
  #fill: { readonly amount: number; readonly rate: number } | null = null;
  #outcome: OrderOutcome | null = null;
  #failure: Error | undefined;
  readonly #tradeIds: string[] = [];
  readonly #readers = new Set<Reader<string>>();
  readonly #ended: PromiseWithResolvers<OrderOutcome> = Promise.withResolvers();

  constructor(orderId: string) {
    this.orderId = orderId;
    // Avoids an unhandled rejection if nobody waits for the order.
    this.#ended.promise.catch(() => undefined);
  }

  /** Ordered thousands; null: not known yet. */
  get amount(): number | null {
    return this.#amount;
  }

  get tradeIds(): readonly string[] {
    return this.#tradeIds;
  }

  get outcome(): OrderOutcome | null {
    return this.#outcome;
  }

  trades({ signal }: { readonly signal?: AbortSignal } = {}): AsyncIterableIterator<string> {
    let read = 0;
    const take = (): string | undefined => {
      const tradeId = this.#tradeIds[read];
      if (tradeId !== undefined) read += 1;
      return tradeId;
    };
    const reader = new Reader({ take, release: () => this.#readers.delete(reader), signal });
    this.#readers.add(reader);
    if (this.#outcome !== null || this.#failure !== undefined) reader.end(this.#failure);
    return reader;
  }

  ended({ signal, timeoutMs = this.#timeoutMs }: CallOptions = {}): Promise<OrderOutcome> {
    const timeoutError = (): Error =>
      new TimeoutError(`The order ${this.orderId} did not end within ${timeoutMs} ms`);
    return withDeadline({ timeoutMs, timeoutError, signals: [signal] }, (either) =>
      untilAborted(this.#ended.promise, either),
    );
  }

  /** Stores what only the request says. */
  expect({ amount, isEntryOrder, timeoutMs }: ExpectedOrder): void {
    this.#timeoutMs = timeoutMs;
    if (this.#amount !== null) return;
    this.#amount = amount;
    this.#resting = isEntryOrder ? amount : null;
  }

  /** Applies a pushed change, not a synthetic one. */
  apply({ action, row, changed }: TableChange<"Order">): void {
    if (action === "D") this.#status = row.status;
    if (changed.tradeId !== undefined) this.#addTrade(changed.tradeId);
    const { filledK, fillRate } = row;
    if (filledK !== undefined && fillRate !== undefined)
      this.#fill = { amount: filledK, rate: fillRate };
    if (this.mayHaveMissedPushes || this.#tradeIds.length > 0) return;
    this.#amount = row.amountK;
    this.#resting = isResting(row) ? row.amountK : null;
  }

  /** Compares with a snapshot: if the order is still untouched, no push was missed. */
  compare(row: Pick<OrderRecord, "isEntryOrder" | "status" | "amountK">): void {
    if (isResting(row) && row.amountK === this.#resting) this.mayHaveMissedPushes = false;
  }

  /**
   * Adds the trades from the position tables.
   * @returns whether they account for the whole amount
   */
  addPositions(positions: readonly FilledPosition[]): boolean {
    for (const { tradeId } of positions) this.#addTrade(tradeId);
    const amount = positions.reduce((sum, { amountK }) => sum + amountK, 0);
    const isWhole = this.#amount !== null && Math.abs(amount - this.#amount) < 1e-9;
    const value = positions.reduce((sum, row) => sum + row.amountK * this.#rateIn(row), 0);
    this.#fill = isWhole && amount > 0 ? { amount, rate: value / amount } : null;
    return isWhole;
  }

  #rateIn({ open, close, closeOrderId }: FilledPosition): number {
    return closeOrderId === this.orderId ? close : open;
  }

  end(isComplete: boolean): void {
    if (this.#outcome !== null) return;
    const { orderId, tradeIds } = this;
    const isNothing = this.#status === orderStatus.canceled && isComplete && tradeIds.length === 0;
    const { amount, rate } = this.#fill ?? { amount: isNothing ? 0 : null, rate: null };
    const fill = { amount, rate: amount === 0 ? null : rate };
    this.#outcome = { orderId, tradeIds, isComplete, status: this.#status, ...fill };
    this.#ended.resolve(this.#outcome);
    for (const reader of [...this.#readers]) reader.end();
  }

  /** Fails all waits: the client was closed. */
  fail(error: Error): void {
    this.#failure = error;
    this.#ended.reject(error);
    for (const reader of [...this.#readers]) reader.end(error);
  }

  #addTrade(tradeId: string): void {
    if (this.#tradeIds.includes(tradeId)) return;
    this.#tradeIds.push(tradeId);
    for (const reader of [...this.#readers]) reader.wake();
  }
}

function isResting({
  isEntryOrder,
  status,
}: Pick<OrderRecord, "isEntryOrder" | "status">): boolean {
  return isEntryOrder && status === orderStatus.waiting;
}
