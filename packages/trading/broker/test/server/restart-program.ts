import { startPaperBroker } from "../../src/index.ts";

/** A broker to be killed and restarted. */
const [state_file = "", token = "", account_id = ""] = process.argv.slice(2);
const { url } = await startPaperBroker({
  tokens: [token],
  accounts: [{ account_id, balance: 10_000 }],
  prices: { type: "random_walk", seed: 3, start: "2026-01-12T10:00:00Z", tick_interval_ms: 100 },
  state_file,
});
console.log(`serving ${url}`);
