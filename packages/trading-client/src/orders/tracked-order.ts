import {
  type OpenPositionRecord,
  type OrderRecord,
  type OrderStatus,
  orderStatus,
} from "@proj/trading-protocol";
import type { CallOptions } from "../calls/call-options.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import type { TableChange } from "../tables/table-change.ts";
import { Reader } from "../waiting/reader.ts";
import { untilAborted } from "../waiting/until-aborted.ts";
import { withDeadline } from "../waiting/with-deadline.ts";
import type { OrderHandle, OrderOutcome } from "./order-handle.ts";

/** What is known of an order from its request. */
export interface ExpectedOrder {
  /** Thousands; null: what the server says. */
  readonly amount: number | null;
  readonly isEntryOrder: boolean;
  /** How long `ended` waits by default, in milliseconds; 0: for ever. */
  readonly timeoutMs: number;
}

/** An order whose pushes are followed. */
export class TrackedOrder implements OrderHandle {
  readonly orderId: string;
  /** Pushes may have been missed. */
  isHidden = false;
  #timeoutMs = 0;
  /** That its end was pushed with; null: its end was not pushed. */
  #status: OrderStatus | null = null;
  /** Thousands that were ordered; null: not known yet. */
  #amount: number | null = null;
  /** The amount of an entry order that was not touched by the market yet; null: it is none. */
  #resting: number | null = null;
  #outcome: OrderOutcome | null = null;
  #failure: Error | undefined;
  readonly #tradeIds: string[] = [];
  readonly #readers = new Set<Reader<string>>();
  readonly #ended: PromiseWithResolvers<OrderOutcome> = Promise.withResolvers();

  constructor(orderId: string) {
    this.orderId = orderId;
    // Nobody may wait for it.
    this.#ended.promise.catch(() => undefined);
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
      new TimeoutError(`The order ${this.orderId} has not ended in ${timeoutMs} ms`);
    return withDeadline({ timeoutMs, timeoutError, signals: [signal] }, (either) =>
      untilAborted(this.#ended.promise, either),
    );
  }

  /** Takes over what only the request says. */
  expect({ amount, isEntryOrder, timeoutMs }: ExpectedOrder): void {
    this.#timeoutMs = timeoutMs;
    if (this.#amount !== null) return;
    this.#amount = amount;
    this.#resting = isEntryOrder ? amount : null;
  }

  /** What was pushed of it; not what was found by comparing. */
  apply({ action, row, changed }: TableChange<"Order">): void {
    if (action === "D") this.#status = row.status;
    if (changed.tradeId !== undefined) this.#addTrade(changed.tradeId);
    if (this.isHidden || this.#tradeIds.length > 0) return;
    this.#amount = row.amountK;
    this.#resting = isResting(row) ? row.amountK : null;
  }

  /** What a snapshot says of it: if it has not been touched, nothing was missed. */
  compare(row: Pick<OrderRecord, "isEntryOrder" | "status" | "amountK">): void {
    if (isResting(row) && row.amountK === this.#resting) this.isHidden = false;
  }

  /**
   * Adds what the position tables say.
   * @returns whether they account for the whole amount
   */
  addPositions(positions: readonly Pick<OpenPositionRecord, "tradeId" | "amountK">[]): boolean {
    for (const { tradeId } of positions) this.#addTrade(tradeId);
    const sum = positions.reduce((amount, { amountK }) => amount + amountK, 0);
    return this.#amount !== null && Math.abs(sum - this.#amount) < 1e-9;
  }

  end(isComplete: boolean): void {
    if (this.#outcome !== null) return;
    const { orderId, tradeIds } = this;
    this.#outcome = { orderId, tradeIds, isComplete, status: this.#status };
    this.#ended.resolve(this.#outcome);
    for (const reader of [...this.#readers]) reader.end();
  }

  /** The client is closed. */
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
