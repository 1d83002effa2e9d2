import { readFileSync } from "node:fs";
import { LoadGenerator } from "../load/load-generator.ts";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { cpuMicroseconds } from "../machine/process-figures.ts";
import { writeResults } from "../results.ts";
import { gatewayRow } from "../servers/gateway-rows.ts";
import type { ServerRow } from "../servers/server-row.ts";
import { type StartedRow, startServers } from "../servers/server-set.ts";
import { startUpstream } from "../servers/upstream-row.ts";
import { median, shuffled } from "../statistics.ts";
import { type RunningPostgres, startPostgres } from "../storage/running-postgres.ts";
import { progress } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";

export interface WorkersBenchOptions {
  readonly repetitions: number;
  /** Length of a round, in milliseconds. */
  readonly windowMs: number;
  readonly force: boolean;
}

interface WorkersRecord {
  readonly row: string;
  readonly requests_per_second: number;
  readonly p50_ms: number;
  /** CPU of the process that callers connect to. */
  readonly own_us: number;
  /** CPU of all workers behind it; 0 if there are none. */
  readonly workers_us: number;
  readonly errors: number;
  readonly first_error: string | null;
}

const CONNECTIONS = 64;
const WARM_UP_MS = 6000;
const RAMP_MS = 200;
const MODELLED = [1, 2, 4, 8, 16];

/** One gateway, and two workers behind their front, on PostgreSQL; and a model of the gain from more cores. */
export async function runWorkersBench(options: WorkersBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return 2;
  const { cores, description } = machine;
  const postgres = await startPostgres(null);
  const upstream = await startUpstream(cores.upstream);
  const load = await LoadGenerator.start(cores.load);
  const context = { upstream, cores: cores.serverTwoCores };
  const rows = [rowOf(postgres, 1), rowOf(postgres, 2)];
  const servers = await startServers(rows, context, "1k", (name, reason) => {
    throw new Error(`${name} did not start: ${reason}`);
  });
  const records: WorkersRecord[] = [];
  try {
    for (const started of servers.started) await round(load, started, WARM_UP_MS);
    for (let repetition = 0; repetition < options.repetitions; repetition++) {
      for (const started of shuffled(servers.started)) {
        const record = await round(load, started, options.windowMs);
        progress(`${record.row}: ${record.requests_per_second.toFixed(0)}/s`);
        records.push(record);
      }
    }
  } finally {
    await servers.stop();
    await Promise.all([load.stop(), upstream.stop()]);
    await postgres.stop();
  }
  writeResults("workers", { machine: description, options, records }, null);
  tell(records);
  return records.some(({ errors }) => errors > 0) ? 1 : 0;
}

function rowOf(postgres: RunningPostgres, workers: number): ServerRow {
  return gatewayRow({
    name: workers === 1 ? "one gateway" : `--workers ${workers}`,
    description: `${workers} on PostgreSQL`,
    bound: true,
    storage: async () => ({
      storage_type: "cloud",
      storage_config: { db_url: await postgres.newDatabase() },
    }),
    args: workers === 1 ? [] : ["--workers", String(workers)],
  });
}

async function round(
  load: LoadGenerator,
  { row, target }: StartedRow,
  windowMs: number,
): Promise<WorkersRecord> {
  const workers = childrenOf(target.pid);
  const before = workers.map(cpuMicroseconds);
  const ownBefore = cpuMicroseconds(target.pid);
  const spec = { target, body: "1k", connections: CONNECTIONS, rampMs: RAMP_MS, windowMs } as const;
  const result = await load.round(spec);
  const own = cpuMicroseconds(target.pid) - ownBefore;
  const behind = workers.reduce(
    (sum, pid, index) => sum + cpuMicroseconds(pid) - (before[index] ?? 0),
    0,
  );
  const { requests_per_second, p50_ms, cpu_us_per_request, errors, first_error } = result;
  return {
    row: row.name,
    requests_per_second,
    p50_ms,
    own_us: cpu_us_per_request,
    // Both counted the same answers.
    workers_us: (cpu_us_per_request * behind) / own,
    errors,
    first_error,
  };
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.split(" ").filter(Boolean).map(Number);
}

function tell(records: readonly WorkersRecord[]): void {
  const names = [...new Set(records.map(({ row }) => row))].sort();
  const figure = (name: string, of: (record: WorkersRecord) => number): number =>
    median(records.filter(({ row }) => row === name).map(of));
  const rows = names.map((name) => [
    name,
    figure(name, (record) => record.requests_per_second).toFixed(0),
    figure(name, (record) => record.p50_ms).toFixed(2),
    figure(name, (record) => record.own_us).toFixed(1),
    figure(name, (record) => record.workers_us).toFixed(1),
    String(records.filter(({ row }) => row === name).reduce((sum, { errors }) => sum + errors, 0)),
  ]);
  const header = ["row", "requests/s", "p50 ms", "CPU µs/request", "of its workers", "errors"];
  console.log(`\n${textTable(header, rows)}`);
  const several = names.find((name) => name.startsWith("--")) ?? "";
  const front = figure(several, (record) => record.own_us);
  const worker = figure(several, (record) => record.workers_us);
  console.log(
    `\nModel, not a measurement: with a core for the front, one for each worker, and a database that keeps up,\n` +
      `N workers do min(1 / front, N / worker), front = ${front.toFixed(1)} µs and worker = ${worker.toFixed(1)} µs of CPU.\n`,
  );
  const modelled = MODELLED.map((count) => [
    String(count),
    Math.min(1e6 / front, (count * 1e6) / worker).toFixed(0),
    front < worker / count ? "the workers" : "the front",
  ]);
  console.log(textTable(["workers", "requests/s", "what is full"], modelled));
}
