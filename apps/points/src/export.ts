import { open } from "node:fs/promises";
import { exportRanking, loadSettings } from "@proj/points-server";
import { type Command, defineCommand, exitCode, oneOf, optional, required } from "@proj/program";
import { openStore } from "./open-store.ts";

export const exportSnapshot: Command = defineCommand({
  name: "export",
  summary: "write a ranking as CSV, and print its hash and Merkle root",
  options: {
    config: required("FILE", "YAML settings", { short: "c", completion: "files" }),
    output: required("FILE", "the CSV file; an existing one is overwritten", {
      completion: "files",
    }),
    ranking: oneOf("NAME", ["total", "lp", "swaps"], "total, lp or swaps (default: total)"),
    season: optional("NAME", "the ranking of a season (default: all time)"),
  },
  async run({ options: { config, output, ranking, season } }, { signal }) {
    const store = await openStore(loadSettings(config));
    try {
      await using file = await open(output, "w");
      const write = async (text: string): Promise<void> => void (await file.write(text));
      const options = { ranking: ranking ?? undefined, season: season ?? undefined, signal };
      console.log(JSON.stringify(await exportRanking(store, write, options)));
      return exitCode.done;
    } finally {
      await store.close();
    }
  },
});
