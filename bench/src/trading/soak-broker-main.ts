/** A child process of the soak: a broker whose market moves on command. */
import { type PaperMarket, startPaperBroker } from "@proj/paper-broker";
import { memoryNow } from "./memory-now.ts";
import { soakMarket, TOKEN } from "./soak-market.ts";
import type { BrokerOrder, MarketSecond } from "./soak-protocol.ts";

process.on("unhandledRejection", (reason) => process.send?.({ unhandled: String(reason) }));

const [port = "0", bots = "0", state_file = ""] = process.argv.slice(2);
const broker = await startPaperBroker({
  ...soakMarket(Number(bots)),
  tokens: [TOKEN],
  listen_port: Number(port),
  state_file,
  connection_limits: { requests_per_second: 1_000_000 },
});
const { market, faults } = broker;
// From then on every instrument has a price.
if (market.price("EUR/USD") === null) market.advanceTo(market.now + 10_000);

function pass({ faults: settings, drop }: MarketSecond): void {
  faults.change(settings);
  const dropped = { one: 1, all: broker.connections };
  for (let left = drop === null ? 0 : dropped[drop]; left > 0; left -= 1) faults.dropOne();
  market.advanceTo(market.now + 1000);
}

const tablesOf = (from: PaperMarket): unknown => ({
  OpenPosition: from.snapshot("OpenPosition"),
  Order: from.snapshot("Order"),
  Account: from.snapshot("Account"),
});

process.on("message", async (order: BrokerOrder) => {
  if ("second" in order) {
    pass(order.second);
    process.send?.({ second: true });
  } else if ("memory" in order) process.send?.({ memory: await memoryNow() });
  else process.send?.({ tables: tablesOf(market) });
});
for (const end of ["SIGTERM", "disconnect"]) {
  process.on(end, async () => {
    await broker.close();
    process.exit(0);
  });
}
process.send?.({ port: Number(new URL(broker.url).port) });
