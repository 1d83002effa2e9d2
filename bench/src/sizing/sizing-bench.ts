import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { archiveJob } from "@proj/launcher-client";
import { type BrowsableStore, openJobStore, openStore, pruneOld } from "@proj/session-store";
import { temporaryFolder } from "@proj/test-kit";
import { RESULTS_FOLDER, writeResults } from "../results.ts";
import { median } from "../statistics.ts";
import { startPostgres } from "../storage/running-postgres.ts";
import { GatewayProcess } from "../storms/gateway-process.ts";
import { progress } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";
import {
  endAttempts,
  fillDatabase,
  jobOf,
  SIMULATIONS_OF_JOB,
  STEPS,
  type Stores,
} from "./fill-database.ts";

const SMALLEST = 1000;
const ROUNDS = 5;
const FIRST_LIST = 50;
/** As many reads as the console makes for one answer. */
const READS_OF_SEARCH = 20;
const BEFORE = "2026-02-01T00:00:00.000Z";

interface Measured {
  readonly rollouts: number;
  readonly rows_per_second: number;
  readonly bytes_per_rollout: number | null;
  /** The console's first list, as a browser asks a gateway for it. */
  readonly console_ms: number;
  readonly first_list_ms: number;
  readonly newest_job_ms: number;
  readonly oldest_job_ms: number;
  readonly text_ms: number;
  readonly jobs_ms: number;
  readonly job_ms: number;
  readonly attempts_ms: number;
  readonly finished_ms: number;
  readonly scores_ms: number;
  readonly steps_ms: number;
  readonly archived_rows_per_second: number;
  readonly pruned_rows_per_second: number;
}

export interface SizingOptions {
  /** The largest number of rollouts. */
  readonly rollouts: number;
  readonly isPostgres: boolean;
}

/** Fills databases with small rollouts, and measures what readers and pruning take at each size. */
export async function runSizingBench({ rollouts, isPostgres }: SizingOptions): Promise<number> {
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  const postgres = isPostgres ? await startPostgres(null) : null;
  const folder = mkdtempSync(join(RESULTS_FOLDER, "run-"));
  const sizes = [SMALLEST, ...[10, 3, 1].map((part) => Math.floor(rollouts / part / 1000) * 1000)];
  const all: Measured[] = [];
  try {
    for (const size of new Set(sizes.filter((each) => each >= SMALLEST))) {
      const db_url = (await postgres?.newDatabase()) ?? `sqlite://${join(folder, `${size}.db`)}`;
      all.push(await measureSize(db_url, isPostgres, size));
      progress(JSON.stringify(all.at(-1)));
    }
    console.log(tableOf(all));
    writeResults("sizing", { storage: isPostgres ? "PostgreSQL" : "SQLite", all }, null);
    return 0;
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureSize(
  db_url: string,
  isPostgres: boolean,
  rollouts: number,
): Promise<Measured> {
  // Whole jobs, at least one.
  const old = Math.max(Math.floor(rollouts / 10 / 1000) * 1000, 1000);
  const rows_per_second = await withStores(db_url, isPostgres, (stores) =>
    fillDatabase(stores, 0, rollouts, old),
  );
  await endAttempts(db_url);
  const console_ms = await measureConsole(db_url, isPostgres);
  return withStores(db_url, isPostgres, async (stores) => {
    const file = isPostgres ? null : statSync(db_url.slice("sqlite://".length)).size;
    const read = await measureReads(stores, rollouts);
    const archived_rows_per_second = await measureArchive(stores, old);
    const began = performance.now();
    const { rows } = await pruneOld(stores.jobs, { before: BEFORE, keep: "rewards" });
    const pruned_rows_per_second = rows / ((performance.now() - began) / 1000);
    const bytes_per_rollout = file === null ? null : file / rollouts;
    return {
      rollouts,
      rows_per_second,
      bytes_per_rollout,
      console_ms,
      ...read,
      archived_rows_per_second,
      pruned_rows_per_second,
    };
  });
}

/** Over HTTP, from a gateway that has just started. */
async function measureConsole(db_url: string, isPostgres: boolean): Promise<number> {
  await using folder = await temporaryFolder();
  await using gateway = await GatewayProcess.start(folder.path, {
    storage_type: isPostgres ? "cloud" : "sqlite",
    storage_config: { db_url },
    llm_routes: { policy: { base_url: "http://127.0.0.1:9/v1" } },
  });
  const time = await timed(async () => {
    const answer = await fetch(`${gateway.url}/v1/sessions?stored=true`);
    const { sessions } = (await answer.json()) as { readonly sessions: readonly unknown[] };
    if (sessions.length !== FIRST_LIST) throw new Error(`the list has ${sessions.length} sessions`);
  });
  await gateway.stop();
  return time;
}

/** Archives the first jobs. @returns steps in a second */
async function measureArchive({ jobs }: Stores, rollouts: number): Promise<number> {
  await using folder = await temporaryFolder();
  const began = performance.now();
  for (let first = 0; first < rollouts; first += SIMULATIONS_OF_JOB)
    await archiveJob(jobs, { job_id: jobOf(first), address: folder.path });
  return (rollouts * STEPS) / ((performance.now() - began) / 1000);
}

async function withStores<Result>(
  db_url: string,
  isPostgres: boolean,
  work: (stores: Stores & { readonly store: BrowsableStore }) => Promise<Result>,
): Promise<Result> {
  const storage_type = isPostgres ? "cloud" : "sqlite";
  const store = await openStore({ storage_type, storage_config: { db_url } });
  try {
    const jobs = await openJobStore({ storage_type, storage_config: { db_url } });
    try {
      return await work({ store, jobs });
    } finally {
      await jobs.close();
    }
  } finally {
    await store.close();
  }
}

async function measureReads(
  { jobs, store: { browser } }: Stores & { readonly store: BrowsableStore },
  rollouts: number,
) {
  const [newest, oldest] = [jobOf(rollouts - 1), jobOf(0)];
  const { environments } = await jobs.readEnvironments({ job_id: newest, limit: 1 });
  const session_id = environments[0]?.session_id ?? "";
  return {
    first_list_ms: await timed(async () => {
      const { session_ids } = await browser.findSessions({ limit: FIRST_LIST });
      for (const each of session_ids) await browser.readSummary(each);
    }),
    newest_job_ms: await timed(() => search(browser, { job_id: newest })),
    oldest_job_ms: await timed(() => search(browser, { job_id: oldest })),
    text_ms: await timed(() => search(browser, { text: "never said" })),
    jobs_ms: await timed(() => browser.readJobs()),
    job_ms: await timed(() => browser.readJob(newest)),
    attempts_ms: await timed(() => browser.readAttempts({ job_id: oldest, limit: 100 })),
    finished_ms: await timed(() =>
      jobs.readEnvironments({ job_id: oldest, status: "finished", limit: 100 }),
    ),
    scores_ms: await timed(() => browser.readScores({ job_id: oldest, limit: 100 })),
    steps_ms: await timed(() => jobs.readSteps({ session_id })),
  };
}

async function search(
  browser: BrowsableStore["browser"],
  filter: { readonly job_id?: string; readonly text?: string },
): Promise<void> {
  let before: number | null | undefined;
  let found = 0;
  for (
    let reads = 0;
    reads < READS_OF_SEARCH && before !== null && found < FIRST_LIST;
    reads += 1
  ) {
    const page = await browser.findSessions({ ...filter, before, limit: FIRST_LIST - found });
    found += page.session_ids.length;
    before = page.next_before;
  }
}

/** The median, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return median(times);
}

function tableOf(all: readonly Measured[]): string {
  const names = Object.keys(all[0] ?? {}) as (keyof Measured)[];
  const shown = (value: number | null): string =>
    value === null ? "–" : value < 100 ? value.toFixed(1) : String(Math.round(value));
  const rows = names.map((name) => [name, ...all.map((each) => shown(each[name]))]);
  return textTable(rows[0] ?? [], rows.slice(1));
}
