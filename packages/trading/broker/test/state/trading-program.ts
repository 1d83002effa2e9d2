import { openPaperMarket } from "../../src/market/paper-market.ts";
import { fillModels } from "../engine/session-accounts.ts";
import { optionsWith, step } from "./trading-run.ts";

/** Trades until it is killed and prints the answered commands. */
const [state_file = "", name = ""] = process.argv.slice(2);
const [, model = null, currencies] = fillModels.find(([known]) => known === name) ?? [];
const market = openPaperMarket({ ...optionsWith(model, currencies), state_file });
for (let number = 0; ; number += 1) {
  step(market, number);
  // A line that waits in this process would be lost with it.
  await new Promise((written) => process.stdout.write(`answered ${number}\n`, written));
}
