/** A child process of the bench: the paper broker, whose market moves as fast as its clients read. */
import { startPaperBroker } from "@proj/paper-broker";
import { advance, MARKET } from "./bench-market.ts";
import { type ServerOrder, SYMBOLS, TOKEN } from "./trading-protocol.ts";

const [state_file = null] = process.argv.slice(2);
const broker = await startPaperBroker({
  ...MARKET,
  tokens: [TOKEN],
  state_file,
  connection_limits: { requests_per_second: 1_000_000 },
});
advance(broker.market, 10_000);

let left = 0;
process.on("message", ({ push }: ServerOrder) => {
  const isPushing = left > 0;
  left = push;
  if (!isPushing) pushSome();
});

/** Eight seconds of market: each instrument has a price in each. */
function pushSome(): void {
  advance(broker.market, 8000);
  left -= 8 * SYMBOLS.length;
  if (left > 0) setImmediate(pushSome);
}

process.on("SIGTERM", () => process.exit(0));
process.send?.({ port: Number(new URL(broker.url).port) });
