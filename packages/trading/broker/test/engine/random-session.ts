import type { CommandRequests, CommandType } from "../../src/engine/command.ts";
import type { FillModelConfig } from "../../src/engine/fill-model.ts";
import {
  type Market,
  type Protection,
  type Session,
  type Step,
  symbols,
  type TradedSymbol,
} from "./random-steps.ts";
import { accountsIn, type Currencies, dollars } from "./session-accounts.ts";
import { accountId, hedgingId, hourMs, TradingFloor } from "./trading-floor.ts";

/** First price and step size. */
const prices: Readonly<Record<TradedSymbol, readonly [number, number]>> = {
  "EUR/USD": [1.1, 0.00001],
  "USD/JPY": [150, 0.001],
  "USD/CHF": [0.88, 0.00001],
  "EUR/CHF": [0.95, 0.00001],
};

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

function movePrice(floor: TradingFloor, name: TradedSymbol, moved: number, spread: number): void {
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
