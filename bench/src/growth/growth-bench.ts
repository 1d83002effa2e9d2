import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LoadGenerator } from "../load/load-generator.ts";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { RESULTS_FOLDER, writeResults } from "../results.ts";
import { startUpstream } from "../servers/upstream-row.ts";
import { progress, verdict } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";
import { drawChart } from "./chart.ts";
import { type Growth, type GrowthContext, growthOf, MOST_GROWTH } from "./growth.ts";
import { growthOfBodies, growthOfConnections, growthOfSessions } from "./load-curves.ts";
import { growthOfRows } from "./row-curve.ts";

export const GROWTHS = ["connections", "bodies", "sessions", "rows"] as const;
export type GrowthName = (typeof GROWTHS)[number];

export interface GrowthBenchOptions {
  readonly of: readonly GrowthName[];
  readonly quick: boolean;
  readonly force: boolean;
  /** Whether to write the charts to `bench/charts/`, too, and not only to `bench/results/`. */
  readonly writesCharts: boolean;
}

const CHARTS = fileURLToPath(new URL("../../charts/", import.meta.url));

const measurements: Readonly<Record<GrowthName, (context: GrowthContext) => Promise<Growth>>> = {
  connections: growthOfConnections,
  bodies: growthOfBodies,
  sessions: growthOfSessions,
  rows: growthOfRows,
};

/** What a unit of work costs as the work grows; exit status 1 if that more than doubles from its lowest. */
export async function runGrowthBench(options: GrowthBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return 2;
  const { cores, description, loaded } = machine;
  const upstream = await startUpstream(cores.upstream);
  const load = await LoadGenerator.start(cores.load);
  const growths: Growth[] = [];
  try {
    for (const name of options.of)
      growths.push(await measurements[name]({ load, upstream, cores, quick: options.quick }));
  } finally {
    await Promise.all([load.stop(), upstream.stop()]);
  }
  writeResults("growth", { machine: description, loaded_machine: loaded, growths }, null);
  for (const growth of growths) write(growth, options.writesCharts);
  return growths.map(tell).every(Boolean) ? 0 : 1;
}

function write({ name, title, of, curves }: Growth, writesCharts: boolean): void {
  const series = curves.map((curve) => ({
    name: `${curve.name}, ${curve.unit}`,
    points: curve.points,
  }));
  const svg = drawChart({ title, x: of, y: "log scale", series });
  for (const folder of writesCharts ? [RESULTS_FOLDER, CHARTS] : [RESULTS_FOLDER]) {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `growth-${name}.svg`);
    writeFileSync(file, svg);
    progress(`written: ${file}`);
  }
}

/** @returns whether no cost grows faster than its work */
function tell({ title, of, curves, errors }: Growth): boolean {
  const sizes = curves[0]?.points.map(([size]) => size) ?? [];
  const rows = curves.map((curve) => {
    const grown = growthOf(curve);
    return [
      `${curve.name}, ${curve.unit}`,
      ...curve.points.map(([, value]) => String(Number(value.toPrecision(3)))),
      curve.isCost ? `${grown.toFixed(2)} ${verdict(grown <= MOST_GROWTH)}` : "",
    ];
  });
  const header = [of, ...sizes.map(String), `to the least (<= ${MOST_GROWTH})`];
  console.log(`\n### ${title}\n\n${textTable(header, rows)}`);
  if (errors > 0) console.log(`\nINVALID: ${errors} errors`);
  return errors === 0 && curves.every((curve) => !curve.isCost || growthOf(curve) <= MOST_GROWTH);
}
