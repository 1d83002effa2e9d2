import { loadSettings } from "@proj/points-server";
import {
  type Command,
  defineCommand,
  exitCode,
  jsonOption,
  oneOperand,
  required,
} from "@proj/program";
import { openStore } from "./open-store.ts";

export const audit: Command = defineCommand({
  name: "audit",
  summary: "show how an address got its points, pool by pool and swap by swap",
  operand: oneOperand("ADDRESS", "the address, as of the newest snapshot"),
  options: {
    config: required("FILE", "YAML settings", { short: "c", completion: "files" }),
    json: jsonOption("the audit as JSON"),
  },
  async run({ options: { config, json }, operand: address }, { signal }) {
    const store = await openStore(loadSettings(config));
    try {
      const { pools, swaps, ...sums } = await store.audit(address, { signal });
      if (json) {
        console.log(JSON.stringify({ ...sums, pools, swaps }));
        return exitCode.done;
      }
      console.log(`${address}: ${sums.points} points at ${sums.time}`);
      console.log(`liquidity ${sums.lp_points}`);
      for (const { pool, points } of pools) console.log(`  ${pool}: ${points}`);
      console.log(`swaps ${sums.swap_points}`);
      for (const { id, time, pair, usd_value, points } of swaps)
        console.log(`  ${id} at ${time}, ${pair}, ${worth(usd_value)}: ${points}`);
      return exitCode.done;
    } finally {
      await store.close();
    }
  },
});

const worth = (usdValue: string | null): string =>
  usdValue === null
    ? "of unknown value, because there was no price"
    : `${usdValue} millionths of a dollar`;
