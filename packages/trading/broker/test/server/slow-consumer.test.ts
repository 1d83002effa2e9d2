import { encodeForm, type FormFields } from "@proj/trading-client";
import { expect, test } from "vitest";
import type { PaperBroker } from "../../src/index.ts";
import { accountId, advance, serveBroker, token } from "./served-broker.ts";

/** A raw polling client; it receives nothing while it does not poll. */
async function openPolling({ url }: PaperBroker, path: string, fields: FormFields) {
  const address = `${url}/socket.io/?access_token=${token}&EIO=3&transport=polling&b64=1`;
  const sid = /"sid":"([^"]+)"/.exec(await (await fetch(address)).text())?.[1] ?? "";
  const poll = async (): Promise<string> => (await fetch(`${address}&sid=${sid}`)).text();
  expect(await poll()).toBe("2:40");
  const headers = { authorization: `Bearer ${sid}${token}` };
  await fetch(`${url}${path}`, { method: "POST", headers, body: encodeForm(fields) });
  /** Polls until it has received `count` pushes. */
  const read = async (count: number) => {
    const pushes: (readonly [string, Record<string, unknown>])[] = [];
    while (pushes.length < count) {
      for (let text = await poll(); text !== ""; ) {
        const [prefix = "", length = ""] = /^(\d+):/.exec(text) ?? [];
        const packet = text.slice(prefix.length, prefix.length + Number(length));
        text = text.slice(prefix.length + Number(length));
        const [event, json] = JSON.parse(packet.slice(2));
        pushes.push([event, JSON.parse(json)]);
      }
    }
    return pushes;
  };
  return { read };
}

function trade({ market }: PaperBroker): void {
  market.execute("open_trade", {
    ...{ account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 1 },
    ...{ order_type: "AtMarket", time_in_force: "GTC" },
  });
}

test("a slow consumer gets only the newest price of each symbol", async () => {
  await using broker = await serveBroker();
  const slow = await openPolling(broker, "/subscribe", { pairs: ["EUR/USD", "USD/JPY"] });
  const { market } = broker;
  advance(broker, 5_000_000);
  const pushes = await slow.read(1280);
  expect(pushes).toHaveLength(1280);
  const newest = new Map(pushes);
  expect(newest.get("EUR/USD")).toEqual(market.price("EUR/USD"));
  expect(newest.get("USD/JPY")).toEqual(market.price("USD/JPY"));
  // Once it reads again, it gets every price again.
  advance(broker, 3000);
  expect(await slow.read(6)).toHaveLength(6);
});

test("a slow consumer gets all table changes, in order", async () => {
  const accounts = [{ account_id: accountId, balance: 100_000 }];
  await using broker = await serveBroker({ accounts });
  const slow = await openPolling(broker, "/trading/subscribe", { models: "Order" });
  for (let count = 0; count < 500; count += 1) trade(broker);
  const pushes = await slow.read(1500);
  expect(pushes.map(([, { action }]) => action).join("")).toBe("IUD".repeat(500));
  const ids = pushes.map(([, { orderId }]) => Number(orderId));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});

test("a connection that does not read its table changes is closed at the bound", async () => {
  const lines: string[] = [];
  const limits = { connection_limits: { queued_changes: 100 } };
  await using broker = await serveBroker(limits, (line) => lines.push(line));
  await openPolling(broker, "/trading/subscribe", { models: "Order" });
  for (let count = 0; count < 118; count += 1) trade(broker);
  expect(broker.connections).toBe(1);
  trade(broker);
  expect(broker.connections).toBe(0);
  expect(lines.join("\n")).toContain("did not read 100 table changes");
});
