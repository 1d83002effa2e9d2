/** A child process of the bench: clients that read pushes, plain socket.io-client 2.5.0 or ours. */
import { setTimeout as delay } from "node:timers/promises";
import { connectTrading } from "@proj/trading-client";
import { openSocket, openSocketAsItComes } from "./open-socket.ts";
import { type ClientCount, type ClientOrder, MODELS, SYMBOLS, TOKEN } from "./trading-protocol.ts";

const [kind = "", url = "", clients = "1"] = process.argv.slice(2);
let messages = 0;
let wanted = Number.POSITIVE_INFINITY;
let reached = (): void => {};

function count(): void {
  messages += 1;
  if (messages >= wanted) reached();
}

/** Only reads every push. */
async function openPlain(): Promise<void> {
  const open = kind === "plain-as-it-comes" ? openSocketAsItComes : openSocket;
  const socket = await open(url);
  const pairs = SYMBOLS.map((symbol) => ["pairs", symbol]);
  const models = kind === "plain-prices" ? [] : MODELS.map((model) => ["models", model]);
  for (const name of [...SYMBOLS, ...MODELS]) {
    socket.on(name, (json: string) => {
      if (typeof JSON.parse(json) === "object") count();
    });
  }
  await post(socket.id, "/subscribe", pairs);
  if (models.length > 0) await post(socket.id, "/trading/subscribe", models);
}

async function post(id: string, path: string, fields: string[][]): Promise<void> {
  const headers = { authorization: `Bearer ${id}${TOKEN}` };
  const body = new URLSearchParams(fields);
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers,
    body,
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
  await response.arrayBuffer();
}

/** Typed events for all prices and changes, and a mirror of each table. */
async function openTrading(): Promise<void> {
  const client = await connectTrading({ url, token: TOKEN });
  client.on("price", count);
  for (const model of MODELS) {
    client.on(model, count);
    await client.subscribeTable(model);
  }
  await client.subscribePrices(SYMBOLS);
}

for (let opened = 0; opened < Number(clients); opened += 1) {
  await (kind === "trading" ? openTrading() : openPlain());
}

/** Resolves after this many more pushes. */
function counted(wantedMessages: number): Promise<void> {
  messages = 0;
  wanted = wantedMessages;
  return new Promise((resolve) => {
    reached = resolve;
  });
}

process.on("message", async (order: ClientOrder) => {
  process.send?.({ counting: true });
  if ("count" in order) await counted(order.warmUp);
  const cpu = process.cpuUsage();
  const start = performance.now();
  if ("count" in order) await counted(order.count);
  else {
    messages = 0;
    await delay(order.windowMs);
  }
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - start) / 1000;
  const figures: ClientCount = { messages, seconds, cpu_us: user + system };
  process.send?.({ counted: figures });
});
process.on("SIGTERM", () => process.exit(0));
process.send?.({ ready: true });
