import { waitFor, within } from "@proj/test-kit";
import { connectTrading, NotConnectedError, RefusalError } from "@proj/trading-client";
import { expect, test } from "vitest";
import { defaultInstruments, type PaperBroker } from "../../src/index.ts";
import { accountId, advance, serveBroker, setFaults, token } from "./served-broker.ts";

const connect = ({ url }: PaperBroker) =>
  connectTrading({ url, token, reconnectMinDelayMs: 5, reconnectMaxDelayMs: 50 });

const order = { account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 5 };

test("the client places an order, gets its trade ids and closes the trades", async () => {
  const instruments = defaultInstruments.map((instrument) => ({
    ...instrument,
    liquidity: { amount: 2, step: 0.1 },
  }));
  await using broker = await serveBroker({ instruments });
  await using client = await connect(broker);
  const handle = await client.placeMarketOrder(order);
  const outcome = await handle.ended();
  expect(outcome).toMatchObject({ orderId: handle.orderId, isComplete: true, status: 9 });
  expect(outcome.tradeIds).toHaveLength(3);
  const positions = await client.snapshot("OpenPosition");
  expect(positions.map(({ tradeId }) => tradeId)).toEqual(outcome.tradeIds);
  for (const trade_id of outcome.tradeIds) await client.closeTrade({ trade_id });
  expect(await client.snapshot("OpenPosition")).toEqual([]);
  await expect(client.closeTrade({ trade_id: "1" })).rejects.toThrow(RefusalError);
});

test("the client's mirrors equal the server's tables after drops, delays and duplicates", async () => {
  await using broker = await serveBroker({ faults: { duplicate_share: 0.3, push_delay_ms: 3 } });
  await using client = await connect(broker);
  const models = [
    "Order",
    "OpenPosition",
    "ClosedPosition",
    "Account",
    "Summary",
    "Offer",
  ] as const;
  const tables = await Promise.all(models.map((model) => client.subscribeTable(model)));
  for (let round = 0; round < 6; round += 1) {
    if (round % 2 === 1) {
      const renewed = Promise.withResolvers<void>();
      client.on("reconnected", () => renewed.resolve());
      await setFaults(broker, { drop_connections: true });
      broker.market.execute("open_trade", {
        ...{ ...order, is_buy: round !== 3, amount: 3 + round },
        ...{ order_type: "AtMarket", time_in_force: "GTC" },
      });
      advance(broker, 5000);
      await within(renewed.promise, "the new connection");
    }
    await client.openTrade(order);
    advance(broker, 7000);
  }
  // The last pushes are still delayed; they directly follow each other.
  for (const table of tables) {
    await waitFor(async () => {
      const rows = await client.snapshot(table.model);
      return textOf(rows) === textOf([...table.rows.values()]);
    }, `the mirror of ${table.model}`);
  }
});

/** Serialises rows and members in a fixed order. */
const textOf = (rows: readonly object[]): string =>
  JSON.stringify(
    rows
      .map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))))
      .sort(),
  );

test("the client gets prices, candles, instruments and hours", async () => {
  await using broker = await serveBroker();
  await using client = await connect(broker);
  const [price] = await client.subscribePrices(["EUR/USD"]);
  expect(price).toMatchObject({ symbol: "EUR/USD", bid: broker.market.price("EUR/USD")?.Rates[0] });
  const pushed = Promise.withResolvers<number>();
  client.on("price", ({ time }) => pushed.resolve(time.epochMilliseconds));
  advance(broker, 1000);
  expect(await within(pushed.promise, "a price")).toBe(broker.market.price("EUR/USD")?.Updated);
  const candles = await client.candles({ symbol: "EUR/USD", period_id: "m1", num: 5 });
  expect(candles).toHaveLength(1);
  expect(await client.instruments()).toHaveLength(8);
  const hours = (await client.marketHours()).get(1);
  expect(hours).toBeDefined();
});

test("a client with a wrong token gets a clear error", async () => {
  await using broker = await serveBroker();
  const refused = connectTrading({ url: broker.url, token: "wrong-token" });
  await expect(refused).rejects.toThrow(NotConnectedError);
});
