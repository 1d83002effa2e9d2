import type {
  ClosedPositionRecord,
  PriceUpdate,
  PropertyRecord,
  TableModel,
  TableRecords,
  TotalsRow,
} from "@proj/trading-client/wire";
import type { Instrument } from "../instruments/instrument.ts";
import type { Tick } from "../instruments/tick.ts";
import type { TradingHours } from "../instruments/trading-hours.ts";
import { Book, type BookContent } from "./book.ts";
import { passTime } from "./clock.ts";
import type { CommandRequests, CommandResult, CommandType } from "./command.ts";
import { runCommand } from "./commands/run-command.ts";
import { Desk, type Limits } from "./desk.ts";
import type { FillModel } from "./fill-model.ts";
import { checkAccounts } from "./margin-call.ts";
import type { ClosedPosition } from "./position.ts";
import { changePrice } from "./price-change.ts";
import { hasPrice } from "./quote.ts";
import { RefusalError } from "./refusal.ts";
import { snapshotOf, totalsOf } from "./snapshot.ts";
import type { TableChange } from "./table-change.ts";
import { fillTables } from "./tables/fill-tables.ts";
import { priceUpdate } from "./tables/offer-row.ts";
import { closedPositionRow } from "./tables/position-rows.ts";
import { settleTables } from "./tables/settle.ts";
import { Tables } from "./tables/tables.ts";

export interface EngineParts {
  readonly instruments: readonly Instrument[];
  readonly hours: TradingHours;
  readonly limits: Limits;
  readonly fills: FillModel;
  /** The state to resume from. */
  readonly content: BookContent;
  /** Market time, in milliseconds since the epoch. */
  readonly now: number;
  readonly properties: readonly PropertyRecord[];
}

/**
 * Accounts, orders and positions under the prices it is given. Its state depends only on its inputs and their
 * order: it has no timer, no random numbers and no clock.
 */
export class Engine {
  readonly #desk: Desk;
  readonly #snapshots: ReturnType<typeof snapshotOf>;

  /** @throws TypeError no instruments convert a profit to an account's currency */
  constructor(parts: EngineParts) {
    const { instruments, hours, limits, fills, now } = parts;
    const tables = new Tables();
    const book = new Book(parts.content);
    this.#desk = new Desk({ instruments, hours, limits, fills, book, tables, now });
    this.#snapshots = snapshotOf(tables);
    fillTables(this.#desk, parts.properties);
  }

  /** The latest time it was given. */
  get now(): number {
    return this.#desk.now;
  }

  /** When the current trading day began. */
  get dayStart(): number {
    return this.#desk.day.start;
  }

  /** Its records, and which of them must be saved. */
  get book(): Book {
    return this.#desk.book;
  }

  /** Advances the time without a price. */
  passTime(time: number): void {
    passTime(this.#desk, time);
  }

  /** The symbol has no more prices: trading ends this long after its last one. @returns false: it knew that */
  endPrices(symbol: string, lastsMs: number): boolean {
    const { priceEnds } = this.#desk;
    if (priceEnds.has(symbol)) return false;
    const end = this.#desk.quote(symbol).time + lastsMs;
    priceEnds.set(symbol, end);
    this.#desk.nextHoursChange = Math.min(this.#desk.nextHoursChange, end);
    return true;
  }

  tick(tick: Tick): void {
    changePrice(this.#desk, tick);
  }

  /** Executes a command; a refused one changes nothing. */
  execute<Type extends CommandType>(type: Type, request: CommandRequests[Type]): CommandResult {
    try {
      const data = runCommand(this.#desk, type, request);
      checkAccounts(this.#desk);
      return { executed: true, data };
    } catch (error) {
      if (error instanceof RefusalError) return { executed: false, refusal: error.refusal };
      throw error;
    }
  }

  /** The table changes since the last call; snapshots include only changes that were taken. */
  takeChanges(): readonly TableChange[] {
    settleTables(this.#desk);
    return this.#desk.tables.take();
  }

  snapshot<Model extends TableModel>(model: Model): readonly TableRecords[Model][] {
    return this.#snapshots[model]();
  }

  /** The last row of a snapshot; null: the table has none. */
  totals(model: TableModel): TotalsRow | null {
    return totalsOf(model, this.#snapshots[model]());
  }

  /** Null: unknown instrument, or no price yet. */
  price(symbol: string): PriceUpdate | null {
    const instrument = this.#desk.instruments.get(symbol);
    if (instrument === undefined) return null;
    const quote = this.#desk.quote(symbol);
    return hasPrice(quote) ? priceUpdate(instrument, quote) : null;
  }

  closedRow(closed: ClosedPosition): ClosedPositionRecord {
    return closedPositionRow(this.#desk, closed);
  }

  isVisible(symbol: string): boolean {
    return this.#desk.book.quotes.get(symbol)?.visible ?? false;
  }
}
