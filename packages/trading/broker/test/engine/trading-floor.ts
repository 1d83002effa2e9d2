import type {
  OpenTradeRequest,
  OrderAnswer,
  Refusal,
  TableModel,
  TableRecords,
} from "@proj/trading-client";
import { type AccountConfig, createAccount } from "../../src/engine/account.ts";
import { firstCounters } from "../../src/engine/book.ts";
import type { CommandRequests, CommandResult, CommandType } from "../../src/engine/command.ts";
import { Engine } from "../../src/engine/engine.ts";
import { FillModel, type FillModelConfig } from "../../src/engine/fill-model.ts";
import { createQuote } from "../../src/engine/quote.ts";
import type { TableChange } from "../../src/engine/table-change.ts";
import { createInstrument, type Instrument, pointsOf } from "../../src/instruments/instrument.ts";
import {
  defaultInstruments,
  type InstrumentConfig,
} from "../../src/instruments/instrument-config.ts";
import { type MarketHoursByType, TradingHours } from "../../src/instruments/trading-hours.ts";

/** A Monday. */
export const monday: number = Date.parse("2026-01-12T10:00:00Z");
export const secondMs = 1000;
export const hourMs: number = 3600 * secondMs;
export const dayMs: number = 24 * hourMs;

export const accountId = "1537581";
export const hedgingId = "2000";

export interface FloorOptions {
  readonly accounts?: readonly AccountConfig[];
  /** Overrides for every instrument. */
  readonly instrument?: Partial<InstrumentConfig>;
  readonly hours?: MarketHoursByType | null;
  readonly now?: number;
  readonly fillModel?: FillModelConfig | null;
  readonly limits?: { orders?: number; positions?: number; closedPositions?: number };
}

/** An engine with the default instruments, and shorthands for its commands. */
export class TradingFloor {
  readonly engine: Engine;
  readonly changes: TableChange[] = [];
  /** Number of refused requests. */
  refusals = 0;
  readonly #instruments: ReadonlyMap<string, Instrument>;
  #now: number;

  constructor(options: FloorOptions = {}) {
    const fills = new FillModel(options.fillModel ?? null);
    const instruments = defaultInstruments.map((config) =>
      fills.withDepth(createInstrument({ ...config, ...options.instrument })),
    );
    this.#instruments = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
    this.#now = options.now ?? monday;
    const accounts = options.accounts ?? [
      { account_id: accountId, balance: 10_000 },
      { account_id: hedgingId, balance: 10_000, hedging: true },
    ];
    this.engine = new Engine({
      instruments,
      hours: new TradingHours(options.hours ?? null),
      fills,
      limits: { orders: 100, positions: 100, closedPositions: 100, ...options.limits },
      content: {
        accounts: accounts.map(createAccount),
        quotes: instruments.map(({ symbol }) => createQuote(symbol)),
        orders: [],
        positions: [],
        closedPositions: [],
        counters: firstCounters(),
      },
      now: this.#now,
      properties: [],
    });
  }

  /** Sets a price a second later. */
  price(symbol: string, bid: number, ask: number = bid): void {
    const instrument = this.#instruments.get(symbol);
    if (instrument === undefined) throw new Error(`no ${symbol}`);
    this.#now += secondMs;
    const points = { bid: pointsOf(instrument, bid), ask: pointsOf(instrument, ask) };
    this.engine.tick({ symbol, time: this.#now, ...points });
    this.#take();
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    this.engine.passTime(this.#now);
    this.#take();
  }

  get now(): number {
    return this.#now;
  }

  set now(time: number) {
    this.pass(time - this.#now);
  }

  /** @returns `data` of the answer; a refusal fails the test */
  ask<Type extends CommandType>(type: Type, request: CommandRequests[Type]): unknown {
    const result = this.try(type, request);
    if (!result.executed) throw new Error(`${type} was refused: ${JSON.stringify(result.refusal)}`);
    return result.data;
  }

  /** Executes a command, which may be refused. */
  try<Type extends CommandType>(type: Type, request: CommandRequests[Type]): CommandResult {
    const result = this.engine.execute(type, request);
    this.#take();
    if (!result.executed) this.refusals += 1;
    return result;
  }

  refused<Type extends CommandType>(type: Type, request: CommandRequests[Type]): Refusal {
    const result = this.try(type, request);
    if (result.executed) throw new Error(`${type} was executed: ${JSON.stringify(result.data)}`);
    return result.refusal;
  }

  /** Places a market order, by default to buy 10,000 EUR/USD. @returns the order's id */
  trade(request: Partial<OpenTradeRequest> = {}): string {
    return orderIdOf(this.ask("open_trade", { ...marketOrder, ...request }));
  }

  /** @returns the order's id */
  entry(
    request: Partial<CommandRequests["create_entry_order"]> & { readonly rate: number },
  ): string {
    return orderIdOf(this.ask("create_entry_order", { ...entryOrder, ...request }));
  }

  rows<Model extends TableModel>(model: Model): readonly TableRecords[Model][] {
    return this.engine.snapshot(model);
  }

  /** The only row, or the one with this key. */
  row<Model extends TableModel>(model: Model, key?: string): TableRecords[Model] {
    const rows = this.rows(model).filter(
      (row) => key === undefined || Object.values(row).includes(key),
    );
    const [row] = rows;
    if (row === undefined || rows.length > 1) throw new Error(`${rows.length} rows of ${model}`);
    return row;
  }

  /** The pushes since the last call: model, action, and the values of these fields. */
  pushes(models: readonly TableModel[], fields: readonly string[] = []): string[] {
    return this.changes
      .splice(0)
      .filter(({ model }) => models.includes(model))
      .map(({ model, record }) => {
        const values = new Map<string, unknown>(Object.entries(record));
        const shown = fields
          .map((field) => values.get(field))
          .filter((value) => value !== undefined);
        return [model, record.action, ...shown].join(" ");
      });
  }

  #take(): void {
    this.changes.push(...this.engine.takeChanges());
  }
}

export const marketOrder: OpenTradeRequest = {
  account_id: accountId,
  symbol: "EUR/USD",
  is_buy: true,
  amount: 10,
  rate: 0,
  order_type: "AtMarket",
  time_in_force: "GTC",
};

export const entryOrder: Omit<CommandRequests["create_entry_order"], "rate"> = {
  account_id: accountId,
  symbol: "EUR/USD",
  is_buy: true,
  amount: 10,
  order_type: "Entry",
  time_in_force: "GTC",
};

function orderIdOf(data: unknown): string {
  return String((data as OrderAnswer).orderId);
}
