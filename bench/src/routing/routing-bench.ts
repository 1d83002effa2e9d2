import { setTimeout as delay } from "node:timers/promises";
import { exitCode } from "@proj/program";
import { LoadGenerator } from "../load/load-generator.ts";
import type { PathsResult } from "../load/load-protocol.ts";
import { type StartedServer, startServer } from "../machine/pinned-process.ts";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { writeResults } from "../results.ts";
import { median, shuffled } from "../statistics.ts";
import { progress, verdict } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";
import { measureMatching } from "./matching.ts";
import {
  matchingRatios,
  matchingTable,
  type RoundRecord,
  serverTable,
  speedRatios,
  undisturbed,
} from "./report.ts";
import { ANSWER, hitPaths } from "./routes.ts";

export interface RoutingBenchOptions {
  readonly repetitions: number;
  readonly windowMs: number;
  readonly force: boolean;
}

const SERVERS = ["bare", "bare-again", "router", "express", "express-lean"] as const;
const MAIN = import.meta.resolve("./server-main.ts");
const LOAD = {
  connections: 16,
  rampMs: 100,
  paths: hitPaths(240),
  minBodyBytes: JSON.stringify(ANSWER).length,
} as const;
const WARM_UP_MS = 1500;

/** Compares routing with a bare handler and with Express's own routes, and matching with find-my-way. */
export async function runRoutingBench(options: RoutingBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return exitCode.failed;
  const { server, load } = machine.cores;
  const matching = await measureMatching(server);
  const all = await measureServers(options, server, load);
  const rounds = undisturbed(all);
  const wanted = options.repetitions;
  const requirements = [
    atLeast("router to bare, requests/s", 0.95, speedRatios(rounds, "router", "bare"), wanted),
    atLeast("router to Express, requests/s", 3, speedRatios(rounds, "router", "express"), wanted),
    atLeast("find-my-way to router, time of a hit", 1, matchingRatios(matching, "hits")),
    atLeast("find-my-way to router, time of a miss", 1, matchingRatios(matching, "misses")),
  ];
  const errors = all.reduce((sum, round) => sum + round.errors, 0);
  console.log(`\n${serverTable(rounds)}\n\n${matchingTable(matching)}\n`);
  const lines = requirements.map(({ what, bound, measured, passed, invalid }) => {
    const wrong = errors > 0 ? `${errors} errors` : invalid;
    return [
      what,
      `>= ${bound}`,
      measured.toFixed(2),
      wrong === null ? verdict(passed) : `INVALID: ${wrong}`,
    ];
  });
  console.log(textTable(["ratio", "bound", "measured", "verdict"], lines));
  const results = {
    machine: machine.description,
    loaded_machine: machine.loaded,
    options,
    requirements,
    rounds: all,
    matching,
  };
  writeResults("routing", results);
  const met = requirements.every(({ passed, invalid }) => passed && invalid === null);
  return errors === 0 && met ? 0 : 1;
}

interface Requirement {
  readonly what: string;
  readonly bound: number;
  readonly measured: number;
  readonly passed: boolean;
  /** Why the figure is meaningless, or null. */
  readonly invalid: string | null;
}

/** @param wanted the number of ratios, of which at least half must have been undisturbed */
function atLeast(
  what: string,
  bound: number,
  ratios: readonly number[],
  wanted: number = ratios.length,
): Requirement {
  const measured = median(ratios);
  const invalid =
    ratios.length < wanted / 2 ? `${ratios.length} of ${wanted} rounds undisturbed` : null;
  return { what, bound, measured, passed: measured >= bound, invalid };
}

async function measureServers(
  { repetitions, windowMs }: RoutingBenchOptions,
  cores: string | null,
  loadCores: string | null,
): Promise<readonly RoundRecord[]> {
  const load = await LoadGenerator.start(loadCores);
  const servers = await Promise.all(
    SERVERS.map(async (row) => ({ row, ...(await startServer(MAIN, cores, [row])) })),
  );
  const measure = ({ port, process: { pid } }: StartedServer, ms: number): Promise<PathsResult> =>
    load.during({ ...LOAD, port, pid }, () => delay(ms));
  const records: RoundRecord[] = [];
  try {
    for (const started of servers) await measure(started, WARM_UP_MS);
    for (let repetition = 0; repetition < repetitions; repetition++) {
      for (const { row, ...started } of shuffled(servers)) {
        records.push({ row, repetition, ...(await measure(started, windowMs)) });
      }
      progress(`repetition ${repetition + 1} of ${repetitions}`);
    }
  } finally {
    await Promise.all([load.stop(), ...servers.map(({ process: started }) => started.stop())]);
  }
  return records;
}
