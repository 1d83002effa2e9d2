/** The soak as a separate program, without the rest of the bench: `soak-main.ts <market minutes> <bots>`. */
import { runTradingSoak } from "./trading-soak.ts";

const [minutes = "1", bots = "5"] = process.argv.slice(2);
process.exit(await runTradingSoak({ minutes: Number(minutes), bots: Number(bots), seed: 1 }));
