import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { exitCode } from "@proj/program";
import { LoadGenerator } from "../load/load-generator.ts";
import type { PathsResult } from "../load/load-protocol.ts";
import type { CoreAssignment } from "../machine/cores.ts";
import { type StartedServer, startServer } from "../machine/pinned-process.ts";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { peakMemoryMb, resetPeakMemory } from "../machine/process-figures.ts";
import { RESULTS_FOLDER, writeResults } from "../results.ts";
import { seededRandom } from "../statistics.ts";
import { progress } from "../terminal/progress.ts";
import { addressOf, generateEvents } from "./generate-events.ts";
import { have } from "./points-server.ts";
import { type JobRecord, reportPoints } from "./report.ts";

export interface PointsBenchOptions {
  readonly addresses: number;
  /** Length of a round of requests, in milliseconds. */
  readonly windowMs: number;
  readonly force: boolean;
}

export interface PointsRecords {
  readonly imported: JobRecord;
  /** The first from all events, the second from what the first had counted. */
  readonly snapshots: readonly JobRecord[];
  readonly rounds: Readonly<Record<RoundName, PathsResult>>;
}

export type RoundName = "at rest" | "during a snapshot";

const PAGE_SIZE = 100;
const MAX_START_MS = 300_000;
const SERVER = import.meta.resolve("./server-main.ts");

/** Import, snapshots, and requests for a user and a page while a snapshot is built. */
export async function runPointsBench(options: PointsBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return exitCode.failed;
  const folder = mkdtempSync(join(RESULTS_FOLDER, "run-"));
  const removeFiles = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFiles);
  const records = await measure(options, folder, machine.cores);
  removeFiles();
  const { text, requirements } = reportPoints(records);
  console.log(text);
  const about = { machine: machine.description, loaded_machine: machine.loaded, options };
  writeResults("points", { ...about, requirements, ...records });
  return requirements.every(({ passed }) => passed) ? 0 : 1;
}

async function measure(
  { addresses, windowMs }: PointsBenchOptions,
  folder: string,
  cores: CoreAssignment,
): Promise<PointsRecords> {
  const events = join(folder, "events.jsonl");
  await generateEvents(events, addresses);
  const db_url = `sqlite://${join(folder, "points.db")}`;
  const jobs = await measureJobs(cores.serverTwoCores, db_url, events);
  const server = await startServer(SERVER, cores.server, [db_url], MAX_START_MS);
  const load = await LoadGenerator.start(cores.load);
  const paths = {
    ...{ connections: 32, rampMs: 1_000, paths: pagePaths(20_000, addresses) },
    // A record has at least its members' names and an address of 42 characters.
    minBodyBytes: PAGE_SIZE * 100,
  };
  const during = (asked: StartedServer, work: () => Promise<unknown>): Promise<PathsResult> =>
    load.during({ ...paths, port: asked.port, pid: asked.process.pid }, work);
  try {
    progress("a user and a page of 100, at rest");
    const atRest = await during(server, () => delay(windowMs));
    progress("the same while a snapshot is built");
    let building: Promise<unknown> = Promise.resolve();
    const whileBuilding = await during(server, () => {
      building = have(server, { kind: "snapshot" });
      return Promise.race([building, delay(windowMs)]);
    });
    await building;
    return { ...jobs, rounds: { "at rest": atRest, "during a snapshot": whileBuilding } };
  } finally {
    await Promise.all([load.stop(), server.process.stop()]);
  }
}

async function measureJobs(
  cores: string | null,
  db_url: string,
  events: string,
): Promise<Pick<PointsRecords, "imported" | "snapshots">> {
  const server = await startServer(SERVER, cores, [db_url]);
  try {
    const imported = await job(server, { kind: "import", file: events });
    const first = await job(server, { kind: "snapshot" });
    return { imported, snapshots: [first, await job(server, { kind: "snapshot" })] };
  } finally {
    await server.process.stop();
  }
}

async function job(server: StartedServer, command: Parameters<typeof have>[1]): Promise<JobRecord> {
  progress(`${command.kind} …`);
  const { pid } = server.process;
  resetPeakMemory(pid);
  const { seconds, count } = await have(server, command);
  const peak_mb = peakMemoryMb(pid);
  progress(
    `${command.kind}: ${count} in ${seconds.toFixed(1)} s, at most ${peak_mb.toFixed(0)} MB`,
  );
  return { seconds, count, peak_mb };
}

/** Paths for a user and a page of 100, both anywhere in the ranking; the same paths in every run. */
function pagePaths(count: number, addresses: number): readonly string[] {
  const random = seededRandom(count);
  const below = (end: number): number => Math.floor(random() * end);
  return Array.from({ length: count }, () => {
    const user = addressOf(below(addresses));
    return `/api/main/total/${user}?offset=${below(addresses - PAGE_SIZE)}&size=${PAGE_SIZE}`;
  });
}
