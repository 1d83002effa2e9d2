import { fileURLToPath } from "node:url";
import { firstMessage, portOf, startPinned } from "../machine/pinned-process.ts";
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
import { RoutingLoad } from "./routing-round.ts";

export interface RoutingBenchOptions {
  readonly repetitions: number;
  readonly windowMs: number;
  readonly force: boolean;
}

const SERVERS = ["bare", "bare-again", "router", "express", "express-lean"] as const;
const MAIN = fileURLToPath(import.meta.resolve("./server-main.ts"));
const CONNECTIONS = 16;
const WARM_UP_MS = 1500;

/** Compares routing with a bare handler and with Express's own routes, and matching with find-my-way. */
export async function runRoutingBench(options: RoutingBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return 2;
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
  writeResults("routing", results, null);
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
  const load = await RoutingLoad.start(loadCores);
  const servers = SERVERS.map((row) => ({
    row,
    process: startPinned({
      cores,
      command: process.execPath,
      args: [...process.execArgv, MAIN, row],
      ipc: true,
    }),
  }));
  const records: RoundRecord[] = [];
  try {
    const targets = await Promise.all(
      servers.map(async ({ row, process: started }) => {
        const port = await firstMessage(started, portOf);
        return { row, port, pid: started.pid, connections: CONNECTIONS };
      }),
    );
    for (const target of targets) await load.round({ ...target, windowMs: WARM_UP_MS });
    for (let repetition = 0; repetition < repetitions; repetition++) {
      for (const { row, ...target } of shuffled(targets)) {
        records.push({ row, repetition, ...(await load.round({ ...target, windowMs })) });
      }
      progress(`repetition ${repetition + 1} of ${repetitions}`);
    }
  } finally {
    await Promise.all([load.stop(), ...servers.map(({ process: started }) => started.stop())]);
  }
  return records;
}
