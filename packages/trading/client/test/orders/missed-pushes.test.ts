import { waitFor } from "@proj/test-kit";
import type { OrderHandle, TradingClient } from "@proj/trading-client";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { nextEvent } from "../server/events.ts";
import { ordered } from "../server/recorded-answers.ts";
import { closedPositionRecord, openPositionRecord, orderRecord } from "../server/records.ts";
import { TradingServer } from "../server/trading-server.ts";

const order = { account_id: "1027808", symbol: "EUR/USD", is_buy: true, amount: 10 };
const orderId = "390285837";
const resting = { orderId, isEntryOrder: true, status: 1 } as const;

interface Placed extends AsyncDisposable {
  readonly server: TradingServer;
  readonly client: TradingClient;
  readonly handle: OrderHandle;
}

/** A placed order whose first push the client has seen. */
async function placed(kind: "market" | "entry"): Promise<Placed> {
  const server = await TradingServer.start();
  server.answer("/trading/open_trade", () => ordered(Number(orderId)));
  server.answer("/trading/create_entry_order", () => ordered(Number(orderId)));
  const client = await connect(server);
  const handle =
    kind === "market"
      ? await client.placeMarketOrder(order)
      : await client.placeEntryOrder({ ...order, rate: 1.3 });
  const { rows } = await client.subscribeTable("Order");
  server.change("Order", "I", orderRecord(kind === "market" ? { orderId } : resting));
  await waitFor(() => rows.has(orderId), "the order");
  const dispose = async (): Promise<void> => {
    await client.close();
    await server[Symbol.asyncDispose]();
  };
  return { server, client, handle, [Symbol.asyncDispose]: dispose };
}

async function reconnect({ server, client }: Placed, meanwhile: () => void): Promise<void> {
  const reconnected = nextEvent(client, "reconnected");
  server.dropConnections();
  meanwhile();
  await reconnected;
}

function fill(server: TradingServer, tradeId: string, amountK: number): void {
  server.change("Order", "U", { orderId, tradeId, status: 6 });
  server.change("OpenPosition", "I", openPositionRecord({ tradeId, orderId, amountK }));
}

test("fills that were missed are found in the open and closed position tables", async () => {
  await using all = await placed("market");
  const { server, handle } = all;
  await reconnect(all, () => {
    fill(server, "1", 4);
    fill(server, "2", 6);
    server.change("Order", "D", { orderId, status: 9 });
    server.change(
      "ClosedPosition",
      "I",
      closedPositionRecord({ tradeId: "2", orderId, amountK: 6 }),
    );
    server.change("OpenPosition", "D", { tradeId: "2" });
    server.change("OpenPosition", "I", openPositionRecord({ tradeId: "8", orderId: "3" }));
  });
  const outcome = { orderId, tradeIds: ["1", "2"], isComplete: true, status: null };
  expect(await handle.ended()).toMatchObject(outcome);
});

test("pushed and missed fills make one list", async () => {
  await using all = await placed("market");
  const { server, handle } = all;
  fill(server, "1", 4);
  await waitFor(() => handle.tradeIds.length === 1, "the first fill");
  await reconnect(all, () => {
    fill(server, "2", 6);
    server.change("Order", "D", { orderId, status: 9 });
  });
  expect(await handle.ended()).toMatchObject({ tradeIds: ["1", "2"], isComplete: true });
});

test("an order that the tables do not account for ends incomplete", async () => {
  await using all = await placed("market");
  const { server, handle } = all;
  await reconnect(all, () => {
    fill(server, "1", 4);
    // The rest closed a trade of another order; the position tables do not link it to this order.
    server.change("Order", "D", { orderId, status: 9 });
  });
  expect(await handle.ended()).toMatchObject({ tradeIds: ["1"], isComplete: false });
});

test("an order that goes on after the reconnect is complete at its end", async () => {
  await using all = await placed("market");
  const { server, handle } = all;
  await reconnect(all, () => fill(server, "1", 4));
  await waitFor(() => handle.tradeIds.length === 1, "the fill that was missed");
  expect(handle.outcome).toBeNull();
  fill(server, "2", 6);
  server.change("Order", "D", { orderId, status: 9 });
  const outcome = { orderId, tradeIds: ["1", "2"], isComplete: true, status: 9 };
  expect(await handle.ended()).toMatchObject(outcome);
});

test("an entry order that waited throughout has missed nothing", async () => {
  await using all = await placed("entry");
  const { server, client, handle } = all;
  await reconnect(all, () => undefined);
  await waitFor(() => server.requestsTo("/trading/get_model").length >= 3, "the lookup");
  // Sent after the lookup, so answered after it.
  await client.snapshot("Order");
  server.change("Order", "U", { orderId, tradeId: "1", status: 6 });
  server.change("Order", "D", { orderId, status: 9 });
  expect(await handle.ended()).toMatchObject({ tradeIds: ["1"], isComplete: true, status: 9 });
});

test("an order whose answer arrives during a reconnect is looked up", async () => {
  await using server = await TradingServer.start();
  await using client = await connect(server);
  await client.subscribeTable("Order");
  server.answer("/trading/open_trade", async () => {
    const reconnected = nextEvent(client, "reconnected");
    server.dropConnections();
    server.tables.OpenPosition.set("1", openPositionRecord({ tradeId: "1", orderId }));
    await reconnected;
    return ordered(Number(orderId));
  });
  const handle = await client.placeMarketOrder(order);
  expect(await handle.ended()).toMatchObject({ tradeIds: ["1"], isComplete: true });
});

test("without position tables an order is marked incomplete, not lost", async () => {
  await using all = await placed("market");
  const { server, handle } = all;
  await reconnect(all, () => {
    server.change("Order", "D", { orderId, status: 9 });
    server.answer("/trading/get_model", ({ fields }) =>
      fields.get("models")?.includes("OpenPosition") === true
        ? { status: 404, body: "not found" }
        : { body: { response: { executed: true }, orders: [] } },
    );
  });
  expect(await handle.ended()).toMatchObject({ tradeIds: [], isComplete: false });
});
