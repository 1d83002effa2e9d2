import { loadSettings, type RecomputePreview } from "@proj/points-server";
import { type Command, defineCommand, exitCode, flag, jsonOption, required } from "@proj/program";
import { openStore } from "./open-store.ts";
import { counted, createProgress } from "./progress.ts";

export const snapshot: Command = defineCommand({
  name: "snapshot",
  summary: "recompute the rankings now",
  about:
    "Recomputes the rankings now. If the program has changed, its new rules apply from now on; --recompute shows what would change if they applied to all events ever, and with --yes applies them.",
  options: {
    config: required("FILE", "YAML settings", { short: "c", completion: "files" }),
    recompute: flag("show what would change if the current rules applied to all events ever"),
    yes: flag("with --recompute: make the change"),
    json: jsonOption("the result as JSON"),
  },
  check({ options: { recompute, yes } }, refuse) {
    if (yes && !recompute) refuse("--yes needs --recompute");
  },
  async run({ options: { config, json, recompute, yes } }, { signal }) {
    const store = await openStore(loadSettings(config));
    const progress = createProgress();
    try {
      progress.show("computing …");
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
          : `snapshot ${info.id}: ${counted(total, "record")} in the total ranking`,
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
    "Nothing was changed. To make the change: --recompute --yes",
  ].join("\n");
}
