import fc from "fast-check";
import type { AccountConfig } from "../../src/engine/account.ts";
import type { CommandRequests, CommandType } from "../../src/engine/command.ts";
import type { FillModelConfig } from "../../src/engine/fill-model.ts";
import { accountId, hedgingId, hourMs, TradingFloor } from "./trading-floor.ts";

/** The instruments of the sessions, with profits in dollars, yen, and francs (converted by USD/CHF). */
export const symbols = ["EUR/USD", "USD/JPY", "USD/CHF", "EUR/CHF"] as const;
type Symbol = (typeof symbols)[number];

/** First price and step size. */
const prices: Readonly<Record<Symbol, readonly [number, number]>> = {
  "EUR/USD": [1.1, 0.00001],
  "USD/JPY": [150, 0.001],
  "USD/CHF": [0.88, 0.00001],
  "EUR/CHF": [0.95, 0.00001],
};

/**
 * The next step. A number chooses among the existing orders or positions; prices are steps from the last
 * one.
 */
export type Step =
  | {
      readonly kind: "price";
      readonly symbol: Symbol;
      readonly move: number;
      readonly spread: number;
    }
  | { readonly kind: "pass"; readonly hours: number }
  | { readonly kind: "open"; readonly market: Market; readonly protection: Protection }
  | {
      readonly kind: "entry";
      readonly market: Market;
      readonly protection: Protection;
      readonly away: number;
    }
  | { readonly kind: "oco"; readonly market: Market; readonly away: number }
  | { readonly kind: "close"; readonly choice: number; readonly amount: number }
  | {
      readonly kind: "protect";
      readonly choice: number;
      readonly isStop: boolean;
      readonly pips: number;
      readonly step: number;
    }
  | {
      readonly kind: "change";
      readonly choice: number;
      readonly move: number;
      readonly amount: number;
    }
  | { readonly kind: "delete"; readonly choice: number };

interface Market {
  readonly account_id: string;
  readonly symbol: Symbol;
  readonly is_buy: boolean;
  readonly amount: number;
  readonly time_in_force: "GTC" | "IOC" | "FOK" | "DAY";
}

interface Protection {
  readonly stop: number;
  readonly limit: number;
  readonly trailing_stop_step: number;
}

const symbol = fc.constantFrom(...symbols);
const choice = fc.nat(20);
const market: fc.Arbitrary<Market> = fc.record({
  account_id: fc.constantFrom(accountId, hedgingId),
  symbol,
  is_buy: fc.boolean(),
  amount: fc.integer({ min: 1, max: 60 }),
  time_in_force: fc.constantFrom("GTC", "IOC", "FOK", "DAY"),
});
const protection: fc.Arbitrary<Protection> = fc.record({
  stop: fc.constantFrom(0, 0, 5, 30.5),
  limit: fc.constantFrom(0, 0, 5, 20),
  trailing_stop_step: fc.constantFrom(0, 0, 1, 10),
});
/** Mostly small moves; a large one triggers stops and margin calls. */
const move = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -300, max: 300 }) },
  { weight: 1, arbitrary: fc.integer({ min: -4000, max: 4000 }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant("price"), symbol, move, spread: fc.nat(20) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pass"), hours: fc.nat(30) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("open"), market, protection }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("entry"), market, protection, away: move }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("oco"), market, away: move }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("close"), choice, amount: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("protect"),
      choice,
      isStop: fc.boolean(),
      pips: fc.constantFrom(-20, -3.5, 0, 3.5, 20),
      step: fc.constantFrom(0, 1, 10, 5),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("change"), choice, move, amount: fc.nat(30) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete"), choice }) },
);

export interface Session {
  readonly levelAmount: number;
  readonly levels: number | null;
  readonly steps: readonly Step[];
}

export const session: fc.Arbitrary<Session> = fc.record({
  levelAmount: fc.constantFrom(5, 20, 1000),
  levels: fc.constantFrom(null, 1, 3),
  steps: fc.array(step, { minLength: 1, maxLength: 80, size: "max" }),
});

/** The currency of each account. */
export type Currencies = readonly string[];
export const dollars: Currencies = ["USD", "USD"];

/** Units per dollar, roughly. */
const worth: Readonly<Record<string, number>> = { JPY: 150 };

/** The accounts in these currencies, with roughly equal balances. */
export const accountsIn = (
  currencies: Currencies,
  accounts: readonly AccountConfig[],
): readonly AccountConfig[] =>
  accounts.map(({ balance, equity_stop = null, ...account }, index) => {
    const currency = currencies[index] ?? "USD";
    const units = worth[currency] ?? 1;
    const stop = equity_stop === null ? null : equity_stop * units;
    return { ...account, currency, balance: balance * units, equity_stop: stop };
  });

const inDollars: readonly (readonly [name: string, model: FillModelConfig | null])[] = [
  ["nothing", null],
  ["latency", { latency_ms: 700, latency_jitter_ms: 2500 }],
  ["slippage", { slippage_share: 0.5, slippage_pips: 2 }],
  ["touches", { touch_share: 0.3 }],
  ["depth", { depth: { amount: 7, step: 0.4, levels: 2 } }],
  ["commission", { commission: 0.037 }],
  ["protection", { negative_balance_protection: true }],
  ["the realistic profile", { profile: "realistic" }],
  // At any moment some orders are on their way.
  [
    "a slow realistic profile",
    { profile: "realistic", latency_ms: 2000, latency_jitter_ms: 400_000 },
  ],
];

/** No model, the full profile, each part of a model alone, and accounts in several currencies. */
export const fillModels: readonly (readonly [
  name: string,
  model: FillModelConfig | null,
  currencies: Currencies,
])[] = [
  ...inDollars.map(([name, model]) => [name, model, dollars] as const),
  ["accounts in euros and yen", null, ["EUR", "JPY"]],
  ["the realistic profile in francs and dollars", { profile: "realistic" }, ["CHF", "USD"]],
];

/** Small accounts, so that some sessions end in margin calls. */
export function openSession(
  { levelAmount, levels }: Session,
  fillModel: FillModelConfig | null = null,
  currencies: Currencies = dollars,
): TradingFloor {
  const floor = new TradingFloor({
    accounts: accountsIn(currencies, [
      { account_id: accountId, balance: 3000.01 },
      { account_id: hedgingId, balance: 2000, hedging: true, equity_stop: 1500 },
    ]),
    fillModel,
    instrument: {
      liquidity: fillModel?.depth ? null : { amount: levelAmount, step: 0.3, levels },
      roll_buy: -0.093,
      roll_sell: 0.047,
    },
  });
  for (const name of symbols) floor.price(name, prices[name][0]);
  return floor;
}

/** Performs a step; its request may be refused. */
export function play(floor: TradingFloor, next: Step): void {
  if (next.kind === "price") movePrice(floor, next.symbol, next.move, next.spread);
  else if (next.kind === "pass") floor.pass(next.hours * hourMs);
  else request(floor, next);
}

function movePrice(floor: TradingFloor, name: Symbol, moved: number, spread: number): void {
  const [, point] = prices[name];
  const { sell } = floor.row("Offer", name);
  const bid = Math.max(sell / 2, sell + moved * point);
  floor.price(name, bid, bid + spread * point);
}

function request(floor: TradingFloor, next: Exclude<Step, { kind: "price" | "pass" }>): void {
  const atMarket = { order_type: "AtMarket", time_in_force: "GTC" } as const;
  if (next.kind === "open") {
    const terms = { ...next.market, ...atMarket, time_in_force: next.market.time_in_force };
    ask(floor, "open_trade", { ...terms, ...signed(next.market, next.protection) });
  } else if (next.kind === "entry") {
    const rate = rateAway(floor, next.market.symbol, next.away);
    ask(floor, "create_entry_order", {
      ...next.market,
      rate,
      ...signed(next.market, next.protection),
    });
  } else if (next.kind === "oco") {
    const { symbol: name, is_buy } = next.market;
    ask(floor, "simple_oco", {
      ...next.market,
      rate: rateAway(floor, name, next.away),
      is_buy2: !is_buy,
      rate2: rateAway(floor, name, -next.away),
    });
  } else if (next.kind === "close") {
    const trade_id = chosen(floor.rows("OpenPosition"), next.choice)?.tradeId ?? "1";
    ask(floor, "close_trade", { trade_id, amount: next.amount, ...atMarket });
  } else if (next.kind === "protect") {
    const trade_id = chosen(floor.rows("OpenPosition"), next.choice)?.tradeId ?? "1";
    ask(floor, "change_trade_stop_limit", {
      trade_id,
      is_stop: next.isStop,
      rate: next.pips,
      is_in_pips: true,
      trailing_stop_step: next.step,
    });
  } else {
    const order = chosen(floor.rows("Order"), next.choice);
    const order_id = order?.orderId ?? "1";
    if (next.kind === "delete") ask(floor, "delete_order", { order_id });
    else {
      const rate = order === undefined ? 1 : rateAway(floor, order.currency, next.move);
      ask(floor, "change_order", { order_id, rate, amount: next.amount });
    }
  }
}

function ask<Type extends CommandType>(
  floor: TradingFloor,
  type: Type,
  command: CommandRequests[Type],
): void {
  floor.try(type, command);
}

/** Puts stops and limits on the right side of a trade. */
function signed({ is_buy }: Market, { stop, limit, trailing_stop_step }: Protection): object {
  const side = is_buy ? 1 : -1;
  const step = stop === 0 ? 0 : trailing_stop_step;
  return { stop: -side * stop, limit: side * limit, is_in_pips: true, trailing_stop_step: step };
}

function rateAway(floor: TradingFloor, name: string, points: number): number {
  const { sell, ratePrecision } = floor.row("Offer", name);
  return Number((sell + points / 10 ** ratePrecision).toFixed(ratePrecision));
}

function chosen<Row>(rows: readonly Row[], number: number): Row | undefined {
  return rows[number % Math.max(1, rows.length)];
}
