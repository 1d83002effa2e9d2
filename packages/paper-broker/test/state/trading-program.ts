import { openPaperMarket } from "../../src/market/paper-market.ts";
import { step, tradingOptions } from "./trading-run.ts";

/** Trades on until it is killed, and says which commands were answered. */
const [state_file = "", from = "0"] = process.argv.slice(2);
const market = openPaperMarket({ ...tradingOptions, state_file });
for (let number = Number(from); ; number += 1) {
  step(market, number);
  process.stdout.write(`answered ${number}\n`);
}
