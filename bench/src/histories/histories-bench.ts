import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { RESULTS_FOLDER, writeResults } from "../results.ts";
import { median, quantileOfSorted } from "../statistics.ts";
import { progress, verdict } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";
import { type SessionSpec, type WrittenSessions, writeSessions } from "./write-sessions.ts";

export interface HistoriesBenchOptions {
  readonly repetitions: number;
  readonly force: boolean;
}

/** About a hundred steps: two messages of 1 to 2 KB each. */
const LONG: Omit<SessionSpec, "once"> = { sessions: 100, fromBytes: 3_000, toBytes: 300_000 };
/** The same growing bodies as in the gateway's bench. */
const GROWING: Omit<SessionSpec, "once"> = { sessions: 64, fromBytes: 150_000, toBytes: 250_000 };

interface ReadFigures {
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Compares histories stored once with whole rows: size on the disk, and speed of reading. */
export async function runHistoriesBench(options: HistoriesBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return 2;
  const folder = mkdtempSync(join(RESULTS_FOLDER, "run-"));
  const removeFiles = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFiles);
  const written: WrittenSessions[] = [];
  const write = async (name: string, spec: SessionSpec): Promise<WrittenSessions> => {
    const sessions = await writeSessions(join(folder, `${name}.db`), spec);
    written.push(sessions);
    progress(`${name}: ${sessions.rows} rows, ${kilobytesPerRow(sessions).toFixed(1)} KB each`);
    return sessions;
  };
  try {
    const growing = {
      whole: await write("150 to 250 KB, whole", { ...GROWING, once: false }),
      once: await write("150 to 250 KB, stored once", { ...GROWING, once: true }),
    };
    const long = {
      whole: await write("100 steps, whole", { ...LONG, once: false }),
      once: await write("100 steps, stored once", { ...LONG, once: true }),
    };
    const last = { whole: await readLast(long.whole), once: await readLast(long.once) };
    const exports: { readonly whole: number; readonly once: number }[] = [];
    for (let repetition = 0; repetition < options.repetitions; repetition++) {
      exports.push({ whole: await readAll(long.whole), once: await readAll(long.once) });
      progress(`export, repetition ${repetition + 1} of ${options.repetitions}`);
    }
    const seconds = {
      whole: median(exports.map(({ whole }) => whole)),
      once: median(exports.map(({ once }) => once)),
    };
    const rowOf = (name: "whole" | "once"): string[] => [
      name === "whole" ? "whole rows" : "stored once",
      kilobytesPerRow(growing[name]).toFixed(1),
      kilobytesPerRow(long[name]).toFixed(1),
      last[name].p50_ms.toFixed(2),
      last[name].p99_ms.toFixed(2),
      seconds[name].toFixed(2),
    ];
    const header = [
      "rows",
      "KB/row, 150 to 250 KB",
      "KB/row, 100 steps",
      "last of 100 steps: p50 ms",
      "p99 ms",
      "export of 100 sessions: s",
    ];
    console.log(`\n${textTable(header, [rowOf("whole"), rowOf("once")])}\n`);
    const ratio = median(exports.map(({ whole, once }) => whole / once));
    const kilobytes = kilobytesPerRow(growing.once);
    const required: readonly (readonly [string, string, number, boolean])[] = [
      ["KB on disk for a row of 150 to 250 KB", "<= 12", kilobytes, kilobytes <= 12],
      ["reading the last of 100 steps, p50 (ms)", "< 2", last.once.p50_ms, last.once.p50_ms < 2],
      ["export, whole rows to stored once, time", ">= 1", ratio, ratio >= 1],
    ];
    const lines = required.map(([what, bound, measured, passed]) => [
      ...[what, bound, measured.toFixed(2)],
      verdict(passed),
    ]);
    console.log(textTable(["figure", "bound", "measured", "verdict"], lines));
    const { description, loaded } = machine;
    const figures = { last, seconds, ratio, kilobytes };
    writeResults("histories", { machine: description, loaded_machine: loaded, ...figures }, null);
    return required.every(([, , , passed]) => passed) ? 0 : 1;
  } finally {
    for (const { store } of written) await store.close();
    removeFiles();
  }
}

const kilobytesPerRow = ({ bytes, rows }: WrittenSessions): number => bytes / rows / 1024;

/** The last step of each session alone; the first pass warms the caches of database and program. */
async function readLast({ store, session_ids, lastButOne }: WrittenSessions): Promise<ReadFigures> {
  const times: number[] = [];
  for (let pass = 0; pass < 3; pass++) {
    for (const [index, session_id] of session_ids.entries()) {
      const start = performance.now();
      const page = await store.readSteps({ session_id, after: lastButOne[index], limit: 1 });
      if (page.steps.length !== 1) throw new Error(`${session_id} has no last step`);
      if (pass > 0) times.push(performance.now() - start);
    }
  }
  times.sort((a, b) => a - b);
  return { p50_ms: quantileOfSorted(times, 0.5), p99_ms: quantileOfSorted(times, 0.99) };
}

/** Every step of every session, page by page, like an export. */
async function readAll({ store, session_ids, rows }: WrittenSessions): Promise<number> {
  const start = performance.now();
  let read = 0;
  for (const session_id of session_ids) {
    for (let after: number | null = 0; after !== null; ) {
      const page = await store.readSteps({ session_id, after });
      read += page.steps.length;
      after = page.next_after;
    }
  }
  if (read !== rows) throw new Error(`${read} of ${rows} rows were read`);
  return (performance.now() - start) / 1000;
}
