import {
  connectTrading,
  type OutcomeUnknownError,
  type Reconciliation,
  type TradingClient,
} from "@proj/trading-client";
import { expect, test } from "vitest";
import type { PaperBroker, PaperBrokerConfig } from "../../src/index.ts";
import { type Loss, lossyNetwork } from "./lossy-network.ts";
import { accountId, serveBroker, token } from "./served-broker.ts";

// A server like the original one: it keeps no request ids, so that only its tables tell what became of an order.
const original: Partial<PaperBrokerConfig> = { properties: [{ name: "extensions", value: "" }] };

const order = { account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 10 };
const terms = { order_type: "AtMarket", time_in_force: "GTC" } as const;
const hedging = [{ account_id: accountId, balance: 50_000, hedging: true }];

interface Market {
  readonly broker: PaperBroker;
  readonly client: TradingClient;
  /** Makes a call whose request or answer is lost. */
  lost(loss: Loss, call: () => Promise<unknown>): Promise<OutcomeUnknownError>;
}

/** @param isOnlyTrader what the client is told; somebody else may trade nevertheless */
async function inMarket(
  config: Partial<PaperBrokerConfig>,
  run: (market: Market) => Promise<void>,
  isOnlyTrader = true,
): Promise<void> {
  await using broker = await serveBroker({ ...original, ...config });
  await using network = await lossyNetwork(broker.url);
  const { url } = network;
  await using client = await connectTrading({ url, token, reconnectMinDelayMs: 5, isOnlyTrader });
  await client.snapshot("Order");
  await run({
    ...{ broker, client },
    lost: async (loss, call) => {
      network.lose = () => loss;
      const error = await call().catch((thrown: OutcomeUnknownError) => thrown);
      network.lose = () => null;
      return error as OutcomeUnknownError;
    },
  });
}

const buy = (client: TradingClient, amount: number) => () => client.openTrade({ ...order, amount });

async function outcomesOf(
  client: TradingClient,
  errors: readonly OutcomeUnknownError[],
): Promise<readonly Reconciliation["outcome"][]> {
  const found: Reconciliation["outcome"][] = [];
  for (const error of errors) found.push((await client.reconcile(error)).outcome);
  return found;
}

test.each<[Loss, Loss, string[]]>([
  ["request", "answer", ["not_executed", "executed"]],
  ["answer", "request", ["executed", "not_executed"]],
  ["answer", "answer", ["executed", "executed"]],
  ["request", "request", ["not_executed", "not_executed"]],
])(
  "of two unanswered orders, with %s and %s lost, each is told by its amount",
  (ten, fifty, told) =>
    inMarket({}, async ({ client, lost }) => {
      const errors = [await lost(ten, buy(client, 10)), await lost(fifty, buy(client, 50))];
      expect(await outcomesOf(client, errors)).toEqual(told);
    }),
);

test("of two equal orders, one of which was executed, neither is told as executed", () =>
  inMarket({ accounts: hedging }, async ({ client, lost }) => {
    const errors = [await lost("request", buy(client, 10)), await lost("answer", buy(client, 10))];
    expect(await outcomesOf(client, errors)).toEqual(["unknown", "unknown"]);
  }));

test.each([
  ["another amount", { amount: 7 }, "not_executed"],
  ["the other side", { is_buy: false }, "not_executed"],
  ["a stop", { stop: 0.9 }, "unknown"],
])("somebody else's order with %s is not taken for one that was lost", (_, other, told) =>
  inMarket({ accounts: hedging }, async ({ broker, client, lost }) => {
    await client.openTrade(order);
    const errors = [await lost("request", buy(client, 10))];
    broker.market.execute("open_trade", { ...order, ...terms, ...other });
    expect(await outcomesOf(client, errors)).toEqual([told]);
  }),
);

test.each([
  ["the same fields", {}, "executed"],
  ["another rate", { rate: 1.01 }, "unknown"],
  ["another amount", { amount: 20 }, "not_executed"],
  ["another time in force", { time_in_force: "DAY" }, "not_executed"],
  ["another limit", { limit: 90, stop: 0, is_in_pips: true }, "unknown"],
] as const)("an entry order in the table with %s is compared field by field", (_, other, told) =>
  inMarket({}, async ({ broker, client, lost }) => {
    const entry = { ...order, rate: 1.02, stop: -20, limit: 40, is_in_pips: true };
    await client.openTrade(order);
    const errors = [await lost("request", () => client.createEntryOrder(entry))];
    broker.market.execute("create_entry_order", {
      ...{ order_type: "Entry", time_in_force: "GTC" },
      ...entry,
      ...other,
    });
    expect(await outcomesOf(client, errors)).toEqual([told]);
  }),
);

test.each<[string, Loss]>([
  ["an order of somebody else with the same fields", "request"],
  ["its own order", "answer"],
])("where others may trade, %s is not taken for one that was lost", (_, loss) =>
  inMarket(
    { accounts: hedging },
    async ({ broker, client, lost }) => {
      await client.openTrade(order);
      const error = await lost(loss, buy(client, 20));
      if (loss === "request")
        broker.market.execute("open_trade", { ...order, ...terms, amount: 20 });
      const [, trade] = await client.snapshot("OpenPosition");
      expect(await client.reconcile(error)).toMatchObject({
        ...{ outcome: "unknown", orderIds: [trade?.orderId], tradeIds: [trade?.tradeId] },
      });
      const [nothing] = [await lost("request", buy(client, 30))];
      expect((await client.reconcile(nothing)).outcome).toBe("not_executed");
    },
    false,
  ),
);

test("the fill of an order that was found is told", () =>
  inMarket({}, async ({ client, lost }) => {
    const opening = await client.reconcile(await lost("answer", buy(client, 20)));
    const [trade] = await client.snapshot("OpenPosition");
    expect(opening.orders).toMatchObject([{ amount: 20, rate: trade?.open, grossPL: null }]);
    const close = () => client.closeTrade({ trade_id: trade?.tradeId ?? "" });
    const closing = await client.reconcile(await lost("answer", close));
    const [closed] = await client.snapshot("ClosedPosition");
    const { close: rate, grossPL } = closed ?? {};
    expect(closing.orders).toMatchObject([{ amount: 20, rate, grossPL }]);
  }));

test("two orders that fit leave it open, and both are listed", () =>
  inMarket({ accounts: hedging }, async ({ broker, client, lost }) => {
    const error = await lost("answer", buy(client, 10));
    broker.market.execute("open_trade", { ...order, ...terms });
    const found = await client.reconcile(error);
    expect([found.outcome, found.orderIds.length]).toEqual(["unknown", 2]);
  }));

test("entry orders, OCO pairs, and partial and full closes are found in the tables", () =>
  inMarket({ accounts: hedging }, async ({ client, lost }) => {
    const told: unknown[] = [];
    const tell = async (call: () => Promise<unknown>): Promise<void> => {
      const { outcome, orderIds } = await client.reconcile(await lost("answer", call));
      told.push([outcome, orderIds.length]);
    };
    const entry = { ...order, rate: 1.02, stop: -20, is_in_pips: true };
    await tell(() => client.createEntryOrder(entry));
    await tell(() => client.simpleOco({ ...order, rate: 1.3, is_buy2: false, rate2: 1.02 }));
    await client.openTrade({ ...order, stop: -30, is_in_pips: true });
    const [trade] = await client.snapshot("OpenPosition");
    const trade_id = trade?.tradeId ?? "";
    await tell(() => client.closeTrade({ trade_id, amount: 2 }));
    await tell(() => client.closeTrade({ trade_id }));
    for (const symbol of ["EUR/USD", "USD/JPY"]) await client.openTrade({ ...order, symbol });
    const all = { account_id: accountId, forSymbol: false, symbol: "EUR/USD" };
    await tell(() => client.closeAllForSymbol(all));
    expect(told).toEqual([
      ...[
        ["executed", 1],
        ["executed", 2],
        ["executed", 1],
        ["executed", 1],
      ],
      ["executed", 2],
    ]);
  }));

test.each([
  ["has ended", "2026-01-12T22:00:00Z", "unknown"],
  ["is about to end", "2026-01-12T21:50:00Z", "executed"],
])("an order without a trace is unknown once the trading day %s", (_, until, closing) =>
  inMarket({}, async ({ broker, client, lost }) => {
    await client.openTrade(order);
    const sell = () => client.openTrade({ ...order, is_buy: false });
    const errors = [await lost("answer", sell), await lost("request", buy(client, 20))];
    broker.market.advanceTo(Date.parse(until));
    expect(await outcomesOf(client, errors)).toEqual([closing, "unknown"]);
  }),
);

test("an order without a trace is unknown while the market is closed", () =>
  inMarket({}, async ({ broker, client, lost }) => {
    broker.market.advanceTo(Date.parse("2026-01-16T21:30:00Z"));
    await client.openTrade(order);
    const errors = [await lost("answer", () => client.openTrade({ ...order, is_buy: false }))];
    broker.market.advanceTo(Date.parse("2026-01-16T22:30:00Z"));
    expect(await outcomesOf(client, errors)).toEqual(["unknown"]);
  }));

test("an order without a trace is unknown once the table has dropped rows", () =>
  inMarket({ limits: { closedPositions: 2 } }, async ({ broker, client, lost }) => {
    const turn = (): void => {
      broker.market.execute("open_trade", { ...order, ...terms });
      broker.market.execute("open_trade", { ...order, ...terms, is_buy: false });
    };
    turn();
    await client.openTrade(order);
    const errors = [await lost("answer", () => client.openTrade({ ...order, is_buy: false }))];
    for (let trades = 0; trades < 3; trades += 1) turn();
    expect(await outcomesOf(client, errors)).toEqual(["unknown"]);
  }));

test("a closing's figures are null, not zero, once the table has forgotten what it closed", () =>
  inMarket({}, async ({ broker, client }) => {
    await client.openTrade(order);
    const [trade] = await client.snapshot("OpenPosition");
    const closing = await client.placeClosing({ trade_id: trade?.tradeId ?? "" });
    await expect.poll(async () => (await closing.ended()).status).toBe(9);
    broker.market.advanceTo(Date.parse("2026-01-12T22:00:00Z"));
    expect(await closing.ended()).toMatchObject({ grossPL: null, isComplete: false, closed: [] });
  }));
