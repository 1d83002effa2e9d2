import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { firstMessage, startPinned } from "../machine/pinned-process.ts";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { RESULTS_FOLDER, writeResults } from "../results.ts";
import { median } from "../statistics.ts";
import { progress, verdict } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";
import { STEPS_PER_SESSION, writeJob } from "./write-job.ts";

export interface ExportsBenchOptions {
  readonly steps: number;
  readonly repetitions: number;
  readonly force: boolean;
}

interface ExportRun {
  readonly seconds: number;
  readonly max_rss_mb: number;
}

const EXPORT = fileURLToPath(import.meta.resolve("./export-main.ts"));
/** As a share of the speed of `steps`. */
const LEAST_SPEED = 0.5;
/** As a multiple of the memory for a tenth of the steps. */
const MOST_MEMORY = 1.2;

/** Exports training sequences of growing histories and their single steps: speed, and memory by size. */
export async function runExportsBench(options: ExportsBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return 2;
  const folder = mkdtempSync(join(RESULTS_FOLDER, "run-"));
  const removeFiles = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFiles);
  const sessions = Math.max(1, Math.round(options.steps / STEPS_PER_SESSION));
  const write = async (name: string, count: number): Promise<string> => {
    const db_url = `sqlite://${join(folder, name)}`;
    await writeJob(db_url, count);
    progress(`${name}: ${count * STEPS_PER_SESSION} steps`);
    return db_url;
  };
  const run = async (db_url: string, format: string): Promise<ExportRun> => {
    const args = [...process.execArgv, EXPORT, db_url, format];
    const cores = machine.cores.server;
    const program = startPinned({ cores, command: process.execPath, args, ipc: true });
    try {
      return await firstMessage(program, (message) => message as ExportRun);
    } finally {
      await program.stop();
    }
  };
  const runs: Record<"steps" | "sequences" | "tenth", ExportRun[]> = {
    steps: [],
    sequences: [],
    tenth: [],
  };
  try {
    const whole = await write("whole.db", sessions);
    const tenth = await write("tenth.db", Math.ceil(sessions / 10));
    for (let repetition = 0; repetition < options.repetitions; repetition += 1) {
      runs.steps.push(await run(whole, "steps"));
      runs.sequences.push(await run(whole, "sequences"));
      runs.tenth.push(await run(tenth, "sequences"));
      progress(`repetition ${repetition + 1} of ${options.repetitions}`);
    }
  } finally {
    removeFiles();
  }
  const secondsOf = (name: "steps" | "sequences"): number =>
    median(runs[name].map(({ seconds }) => seconds));
  const memoryOf = (name: keyof typeof runs): number =>
    median(runs[name].map(({ max_rss_mb }) => max_rss_mb));
  const rowOf = (name: "steps" | "sequences"): string[] => [
    name,
    secondsOf(name).toFixed(2),
    ((sessions * STEPS_PER_SESSION) / secondsOf(name)).toFixed(0),
    memoryOf(name).toFixed(0),
  ];
  const header = ["format", "seconds", "steps/s", "memory at most (MB)"];
  console.log(`\n${textTable(header, [rowOf("steps"), rowOf("sequences")])}\n`);
  const speed = secondsOf("steps") / secondsOf("sequences");
  const memory = memoryOf("sequences") / memoryOf("tenth");
  const isFast = speed >= LEAST_SPEED;
  const isFlat = memory <= MOST_MEMORY;
  console.log(`${verdict(isFast)}  sequences, of the speed of steps: ${speed.toFixed(2)}`);
  console.log(`${verdict(isFlat)}  memory, of that for a tenth: ${memory.toFixed(2)}`);
  const { description, loaded } = machine;
  writeResults("exports", { machine: description, loaded_machine: loaded, ...options, runs }, null);
  return isFast && isFlat ? 0 : 1;
}
