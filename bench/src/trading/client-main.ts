/** A child process of the bench: clients that read pushes, plain socket.io-client 2.5.0 or ours. */
import { connectTrading } from "@proj/trading-client";
import connectSocket from "socket.io-client";
import { type ClientCount, type ClientOrder, MODELS, SYMBOLS, TOKEN } from "./trading-protocol.ts";

const [kind = "", url = "", clients = "1"] = process.argv.slice(2);
let messages = 0;
let wanted = Number.POSITIVE_INFINITY;
let reached = (): void => {};

function count(): void {
  messages += 1;
  if (messages >= wanted) reached();
}

/** Reads every push, and that is all. */
async function openPlain(): Promise<void> {
  const socket = connectSocket(url, {
    query: { access_token: TOKEN },
    transports: ["websocket"],
    forceNew: true,
  });
  await new Promise<void>((resolve, reject) => {
    socket.on("connect", resolve);
    socket.on("connect_error", reject);
  });
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
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
  await response.arrayBuffer();
}

/** Typed events of all prices and changes, and a mirror of each table. */
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

process.on("message", async (order: ClientOrder) => {
  messages = 0;
  wanted = "count" in order ? order.count : Number.POSITIVE_INFINITY;
  const cpu = process.cpuUsage();
  const start = performance.now();
  process.send?.({ counting: true });
  await new Promise<void>((resolve) => {
    reached = resolve;
    if ("windowMs" in order) setTimeout(resolve, order.windowMs);
  });
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - start) / 1000;
  const counted: ClientCount = { messages, seconds, cpu_us: user + system };
  process.send?.({ counted });
});
process.on("SIGTERM", () => process.exit(0));
process.send?.({ ready: true });
