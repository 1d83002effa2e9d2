import type { TradingClient } from "@proj/trading-client";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { type Answer, executed, ordered } from "../server/recorded-answers.ts";
import { TradingServer } from "../server/trading-server.ts";

const account_id = "1027808";
const symbol = "EUR/USD";
const entry = { account_id, symbol, is_buy: true, amount: 10, rate: 1.3 };
const expiration = Temporal.Instant.from("2026-11-20T17:30:00.123Z");
const group = executed({
  data: [
    { type: 0, orderId: 1, ocoBulkId: 9 },
    { type: 0, orderId: 2, ocoBulkId: 9 },
  ],
});
const groupOrders = [
  { orderId: "1", ocoBulkId: 9 },
  { orderId: "2", ocoBulkId: 9 },
];

interface Case {
  readonly call: (client: TradingClient) => Promise<unknown>;
  /** The form that is sent, before encoding. */
  readonly form: string;
  readonly answer: Answer;
  readonly result?: unknown;
}

const cases: Record<string, Case> = {
  open_trade: {
    call: (client) =>
      client.openTrade({
        ...{ account_id, symbol, is_buy: true, amount: 10 },
        ...{ stop: -20, is_in_pips: true, trailing_stop_step: 1 },
      }),
    form: "order_type=AtMarket time_in_force=GTC rate=0 at_market=0 is_in_pips=true account_id=1027808 symbol=EUR/USD is_buy=true amount=10 stop=-20 trailing_stop_step=1",
    answer: ordered(390285837),
    result: { orderId: "390285837" },
  },
  close_trade: {
    call: (client) =>
      client.closeTrade({ trade_id: "17", order_type: "MarketRange", at_market: 3 }),
    form: "order_type=MarketRange time_in_force=GTC rate=0 at_market=3 amount=0 trade_id=17",
    answer: ordered(5),
    result: { orderId: "5" },
  },
  create_entry_order: {
    call: (client) =>
      client.createEntryOrder({
        ...{ ...entry, order_type: "RangeEntry", range: 2 },
        ...{ time_in_force: "GTD", expiration },
      }),
    form: "order_type=RangeEntry range=2 time_in_force=GTD is_in_pips=false account_id=1027808 symbol=EUR/USD is_buy=true amount=10 rate=1.3 expiration=2026-11-20T17:30:00Z",
    answer: ordered(6),
    result: { orderId: "6" },
  },
  change_order: {
    call: (client) => client.changeOrder({ order_id: "6", rate: 1.29, amount: 20, range: 3 }),
    form: "order_id=6 rate=1.29 amount=20 range=3",
    answer: executed(),
  },
  delete_order: {
    call: (client) => client.deleteOrder({ order_id: "6" }),
    form: "order_id=6",
    answer: executed(),
  },
  change_trade_stop_limit: {
    call: (client) => client.changeTradeStopLimit({ trade_id: "17", is_stop: true, rate: 0 }),
    form: "is_in_pips=false trade_id=17 is_stop=true rate=0",
    answer: executed(),
  },
  change_order_stop_limit: {
    call: (client) =>
      client.changeOrderStopLimit({ order_id: "6", stop: -20, is_stop_in_pips: true }),
    form: "order_id=6 stop=-20 is_stop_in_pips=true",
    answer: executed(),
  },
  close_all_for_symbol: {
    call: (client) => client.closeAllForSymbol({ account_id, symbol }),
    form: "order_type=AtMarket time_in_force=GTC rate=0 at_market=0 forSymbol=true account_id=1027808 symbol=EUR/USD",
    answer: executed({ data: [{ type: 0, orderId: 7 }] }),
    result: [{ orderId: "7" }],
  },
  simple_oco: {
    call: (client) => client.simpleOco({ ...entry, is_buy2: false, rate2: 1.1 }),
    form: "time_in_force=GTC is_in_pips=false account_id=1027808 symbol=EUR/USD is_buy=true amount=10 rate=1.3 is_buy2=false rate2=1.1",
    answer: group,
    result: groupOrders,
  },
  add_to_oco: {
    call: (client) => client.addToOco({ orderIds: ["1", "2"], ocoBulkId: 0 }),
    form: "orderIds=1 orderIds=2 ocoBulkId=0",
    answer: group,
    result: groupOrders,
  },
  remove_from_oco: {
    call: (client) => client.removeFromOco({ orderIds: ["1", "2"] }),
    form: "orderIds=1 orderIds=2",
    answer: group,
    result: groupOrders,
  },
  edit_oco: {
    call: (client) =>
      client.editOco({ ocoBulkId: 9, addOrderIds: ["1", "2"], removeOrderIds: ["3"] }),
    form: "ocoBulkId=9 addOrderIds=1 addOrderIds=2 removeOrderIds=3",
    answer: group,
    result: groupOrders,
  },
  update_subscriptions: {
    call: (client) => client.updateSubscriptions({ symbol, visible: false }),
    form: "symbol=EUR/USD visible=false",
    answer: executed(),
  },
};

test.each(Object.entries(cases))("%s", async (name, { call, form, answer, result }) => {
  await using server = await TradingServer.start();
  server.answer(`/trading/${name}`, () => answer);
  await using client = await connect(server);
  expect(await call(client)).toEqual(result);
  const [{ method, fields } = { method: "", fields: new Map<string, string[]>() }] =
    server.requestsTo(`/trading/${name}`);
  expect(method).toBe("POST");
  const sent = [...fields].flatMap(([key, values]) => values.map((value) => `${key}=${value}`));
  expect(sent.sort()).toEqual(form.split(" ").sort());
});

test("close_all_for_symbol without a list of orders returns none", async () => {
  await using server = await TradingServer.start();
  server.answer("/trading/close_all_for_symbol", () => executed({ data: null }));
  await using client = await connect(server);
  expect(await client.closeAllForSymbol({ account_id, symbol })).toEqual([]);
});
