/** A child process of the bench: the paper broker, with a market that moves as fast as its clients read. */
import { startPaperBroker } from "@proj/paper-broker";
import { advance, MARKET } from "./bench-market.ts";
import { type ServerOrder, TOKEN } from "./trading-protocol.ts";

const [state_file = null] = process.argv.slice(2);
const broker = await startPaperBroker({
  ...MARKET,
  tokens: [TOKEN],
  state_file,
  connection_limits: { requests_per_second: 1_000_000 },
});
advance(broker.market, 10_000);

let isPushing = false;
process.on("message", (order: ServerOrder) => {
  const wasPushing = isPushing;
  isPushing = order.isPushing;
  if (isPushing && !wasPushing) pushSome();
});

/** Eight seconds of market time: each instrument has a price in each second. */
function pushSome(): void {
  if (!isPushing) return;
  advance(broker.market, 8000);
  setImmediate(pushSome);
}

process.on("SIGTERM", () => process.exit(0));
process.send?.({ port: Number(new URL(broker.url).port) });
