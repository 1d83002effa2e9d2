import { open } from "node:fs/promises";
import { exportRanking, loadSettings, rankingNames } from "@proj/points-server";
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
    ranking: oneOf("NAME", rankingNames, "total, lp or swaps (default: total)"),
    season: optional("NAME", "the ranking of a season (default: all time)"),
    proofs: oneOf(
      "FORM",
      ["openzeppelin"],
      "openzeppelin: write proofs for claim contracts, too, to the output's name with .proofs.json",
    ),
  },
  async run({ options: { config, output, ranking, season, proofs } }, { signal }) {
    const store = await openStore(loadSettings(config));
    try {
      await using file = await open(output, "w");
      await using proofFile = proofs === null ? null : await open(`${output}.proofs.json`, "w");
      const write = async (text: string): Promise<void> => void (await file.write(text));
      const writeProofs = proofFile
        ? async (text: string): Promise<void> => void (await proofFile.write(text))
        : undefined;
      const asked = { ranking: ranking ?? undefined, season: season ?? undefined };
      const manifest = await exportRanking(store, write, { ...asked, writeProofs, signal });
      console.log(JSON.stringify(manifest));
      return exitCode.done;
    } finally {
      await store.close();
    }
  },
});
