import { join } from "node:path";
import { startTcpProxy, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { accountId, serveBroker, serveTrading } from "./traded.ts";

const order = { symbol: "EUR/USD", is_buy: true, amount: 10 };

/** A broker behind a network connection that can be cut. */
async function behindProxy(
  options: Parameters<typeof serveTrading>[0] = {},
  config: Parameters<typeof serveBroker>[0] = {},
) {
  const broker = await serveBroker(config);
  const proxy = await startTcpProxy(Number(new URL(broker.url).port));
  const through = `http://127.0.0.1:${proxy.port}`;
  const { agent, ...served } = await serveTrading(options, {}, through);
  const dispose = async (): Promise<void> => {
    await served[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await broker.close();
  };
  /** Cuts the network after the order has executed and before its answer. */
  const loseAnswer = (afterwards: () => void): void => {
    const end = broker.market.subscribe({
      changes: () => {
        end();
        proxy.cut();
        afterwards();
      },
    });
  };
  return { broker, proxy, agent, loseAnswer, [Symbol.asyncDispose]: dispose };
}

test("an order whose answer was lost is found in the tables", async () => {
  await using network = await behindProxy();
  const { agent, broker, proxy, loseAnswer } = network;
  loseAnswer(() => proxy.mend());
  const { isError, value } = await agent.call("open_trade", order);
  const [row] = broker.market.snapshot("OpenPosition");
  expect([isError, value]).toEqual([
    false,
    {
      ...{ order_id: row?.orderId, status: "executed", trade_ids: [row?.tradeId] },
      ...{ amount: 10, rate: row?.open, gross_pl: null },
      is_reconciled: true,
    },
  ]);
  const [trade_id] = value.trade_ids;
  loseAnswer(() => proxy.mend());
  const part = await agent.call("close_trade", { trade_id, amount: 4 });
  const [closed] = broker.market.snapshot("ClosedPosition");
  expect(part.value).toMatchObject({
    ...{ trade_ids: [closed?.tradeId], amount: 4, rate: closed?.close },
    ...{ gross_pl: closed?.grossPL, is_reconciled: true },
  });
  loseAnswer(() => proxy.mend());
  const set = await agent.call("set_stop_limit", { trade_id, stop: 0.9 });
  expect(set.value).toEqual({ trade_id, stop: 0.9, limit: null });
});

test("an order that still waits is reported as pending", async () => {
  await using network = await behindProxy({}, { fill_model: { latency_ms: 60_000 } });
  const { agent, broker, proxy, loseAnswer } = network;
  loseAnswer(() => proxy.mend());
  const { isError, value } = await agent.call("open_trade", order);
  const [row] = broker.market.snapshot("Order");
  expect([isError, value]).toEqual([
    false,
    {
      ...{ order_id: row?.orderId, status: "pending", trade_ids: [], is_reconciled: true },
      ...{ amount: 0, rate: null, gross_pl: null },
    },
  ]);
});

test("the outcome is unknown while the broker is away, and reconcile settles it later", async () => {
  await using network = await behindProxy({ timeoutMs: 2_000 });
  const { agent, broker, proxy, loseAnswer } = network;
  loseAnswer(() => {});
  const lost = await agent.call("open_trade", order);
  const { code, request_id } = lost.value.error;
  expect([lost.isError, code]).toEqual([true, "outcome_unknown"]);
  const still = await agent.call("reconcile", { request_id });
  expect(still.value.error).toMatchObject({ code: "outcome_unknown", request_id });
  proxy.mend();
  const [row] = broker.market.snapshot("OpenPosition");
  const found = { outcome: "executed", order_ids: [row?.orderId], trade_ids: [row?.tradeId] };
  await expect
    .poll(async () => (await agent.call("reconcile", { request_id })).value)
    .toEqual(found);
  const again = await agent.call("reconcile", { request_id });
  expect(again.value.error.code).toBe("not_found");
});

test("tools fail as unavailable while the broker is away, and work again afterwards", async () => {
  await using folder = await temporaryFolder();
  const state_file = join(folder.path, "broker.db");
  await using trading = await serveTrading({ timeoutMs: 1_000 }, { state_file });
  const { agent, broker } = trading;
  await agent.call("open_trade", order);
  await broker.close();
  for (const [name, args] of [
    ["get_account", {}],
    ["open_trade", order],
  ] as const) {
    const away = await agent.call(name, args);
    expect([away.isError, away.value.error.code]).toEqual([true, "unavailable"]);
  }
  const listen_port = Number(new URL(broker.url).port);
  await using again = await serveBroker({ state_file, listen_port });
  await expect.poll(async () => (await agent.call("get_account")).isError).toBe(false);
  expect((await agent.call("get_account")).value.account_id).toBe(accountId);
  expect((await agent.call("list_positions")).value.positions).toHaveLength(1);
  expect(again.market.snapshot("OpenPosition")).toHaveLength(1);
});
