import { loadSettings, type RecomputePreview } from "@proj/points-server";
import { type Command, defineCommand, exitCode, flag, jsonOption, required } from "@proj/program";
import { openStore } from "./open-store.ts";
import { counted, createProgress } from "./progress.ts";

export const snapshot: Command = defineCommand({
  name: "snapshot",
  summary: "recount the rankings, now",
  about:
    "Recounts the rankings, now. A program that has changed holds from then on; with --recompute it is shown what its rules would change if they held for everything that ever happened, and with --yes they do.",
  options: {
    config: required("FILE", "YAML settings", { short: "c", completion: "files" }),
    recompute: flag("the rules of now for everything that ever happened: shows what would change"),
    yes: flag("with --recompute: change it"),
    json: jsonOption("what was done as JSON"),
  },
  check({ options: { recompute, yes } }, refuse) {
    if (yes && !recompute) refuse("--yes goes with --recompute");
  },
  async run({ options: { config, json, recompute, yes } }, { signal }) {
    const store = await openStore(loadSettings(config));
    const progress = createProgress();
    try {
      progress.show("counting …");
      if (recompute && !yes) {
        const preview = await store.previewRecompute({ signal });
        progress.clear();
        console.log(json ? JSON.stringify(preview) : describe(preview));
        return exitCode.done;
      }
      const info = await store.buildSnapshot({ signal, recompute });
      progress.clear();
      const { total } = info.totalItems;
      console.log(
        json
          ? JSON.stringify(info)
          : `snapshot ${info.id}: ${counted(total, "record")} in the ranking of all`,
      );
      return exitCode.done;
    } finally {
      progress.clear();
      await store.close();
    }
  },
});

function describe({ addresses, changed, largest, ...sums }: RecomputePreview): string {
  const lines = largest.map(
    ({ address, points_before, points_after }) =>
      `  ${address}: ${points_before} -> ${points_after}`,
  );
  return [
    `${changed} of ${counted(addresses, "address", "addresses")} would change; the sum of all points ${sums.points_before} -> ${sums.points_after}`,
    ...lines,
    "Nothing was changed. To change it: --recompute --yes",
  ].join("\n");
}
