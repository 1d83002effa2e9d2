import { waitFor, within } from "@proj/test-kit";
import { expect, test } from "vitest";
import {
  advance,
  connectBot,
  marketOrder,
  serveBroker,
  setFaults,
  token,
} from "./served-broker.ts";

test("connections are dropped on request and their sid becomes invalid", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  await using polling = await connectBot(broker.url, ["polling"]);
  expect((await setFaults(broker, { drop_connections: true })).status).toBe(200);
  await within(Promise.all([bot.gone, polling.gone]), "both to be dropped");
  expect((await bot.get("/trading/get_instruments")).status).toBe(401);
  await using next = await connectBot(broker.url);
  expect((await next.get("/trading/get_instruments")).status).toBe(200);
});

test("connections are dropped one by one at an interval until it is switched off", async () => {
  await using broker = await serveBroker();
  await using first = await connectBot(broker.url);
  await using second = await connectBot(broker.url);
  await setFaults(broker, { drop_interval_ms: 20 });
  await within(Promise.all([first.gone, second.gone]), "both to be dropped");
  await setFaults(broker, { drop_interval_ms: 0 });
  await using third = await connectBot(broker.url);
  expect((await third.get("/trading/get_instruments")).status).toBe(200);
});

test("the configuration can drop connections from the start", async () => {
  await using broker = await serveBroker({ faults: { drop_interval_ms: 200 } });
  await using bot = await connectBot(broker.url);
  await within(bot.gone, "the drop");
});

test("duplicated pushes directly follow each other", async () => {
  await using broker = await serveBroker({ faults: { duplicate_share: 1 } });
  await using bot = await connectBot(broker.url);
  await bot.post("/trading/subscribe", { models: "Order" });
  await bot.post("/trading/open_trade", marketOrder);
  await waitFor(() => bot.pushes.length === 6, "three changes, twice");
  expect(bot.pushes.map(([, { action }]) => action)).toEqual(["I", "I", "U", "U", "D", "D"]);
});

test("delayed pushes arrive in order", async () => {
  await using broker = await serveBroker({ faults: { push_delay_ms: 60 } });
  await using bot = await connectBot(broker.url);
  await bot.post("/trading/subscribe", { models: "Order" });
  const before = performance.now();
  await bot.post("/trading/open_trade", marketOrder);
  await setFaults(broker, { push_delay_ms: 0 });
  await bot.post("/trading/open_trade", marketOrder);
  await waitFor(() => bot.pushes.length === 6, "all changes");
  expect(performance.now() - before).toBeGreaterThan(50);
  expect(bot.pushes.map(([, { action }]) => action)).toEqual(["I", "U", "D", "I", "U", "D"]);
});

test("orders are refused on request, by number or share; other requests are not", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  await setFaults(broker, { refuse_next: 2 });
  const codes = async () => {
    const answers = [];
    for (let index = 0; index < 3; index += 1) {
      answers.push((await bot.post("/trading/open_trade", marketOrder)).body.code ?? null);
    }
    return answers;
  };
  const subscriptions = { symbol: "EUR/USD", visible: true };
  expect((await bot.post("/trading/update_subscriptions", subscriptions)).body.code).toBe(
    undefined,
  );
  expect(await codes()).toEqual([33, 33, null]);
  await setFaults(broker, { refuse_share: 1 });
  expect(await codes()).toEqual([33, 33, 33]);
  expect(broker.market.snapshot("OpenPosition")).toHaveLength(1);
});

test("the faults resource requires the token, shows its settings, and refuses invalid ones", async () => {
  await using broker = await serveBroker({ faults: { push_delay_ms: 5 } });
  expect((await fetch(`${broker.url}/control/faults`)).status).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  const said = await fetch(`${broker.url}/control/faults`, { headers });
  expect(await said.json()).toMatchObject({ data: { push_delay_ms: 5, refuse_next: 0 } });
  const wrong = await setFaults(broker, { push_delay_ms: 9, duplicate_share: 2 });
  expect(await wrong.json()).toMatchObject({ code: 28, parameters: ["duplicate_share", "2"] });
  expect(broker.faults.settings.push_delay_ms).toBe(5);
  await expect(serveBroker({ faults: { refuse_share: -1 } })).rejects.toThrow("from 0 to 1");
});

test("delayed prices keep their order", async () => {
  await using broker = await serveBroker({ faults: { push_delay_ms: 20 } });
  await using bot = await connectBot(broker.url);
  await bot.post("/subscribe", { pairs: "EUR/USD" });
  for (let second = 0; second < 5; second += 1) advance(broker, 1000);
  await waitFor(() => bot.pushes.length === 5, "five prices");
  const times = bot.pushes.map(([, { Updated }]) => Number(Updated));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
