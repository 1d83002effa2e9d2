import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FULL_RUN, type GatewayBenchOptions } from "../gateway/gateway-bench-options.ts";
import { Measurements } from "../gateway/measurements.ts";
import { RoundRunner } from "../gateway/round-runner.ts";
import { LoadGenerator } from "../load/load-generator.ts";
import type { BodyName } from "../load/load-protocol.ts";
import type { CoreAssignment } from "../machine/cores.ts";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { RESULTS_FOLDER, writeResults } from "../results.ts";
import type { ServerRow } from "../servers/server-row.ts";
import { startServers } from "../servers/server-set.ts";
import { startUpstream } from "../servers/upstream-row.ts";
import { verdict, warning } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";
import { type RunningPostgres, startPostgres } from "./running-postgres.ts";
import {
  balancedRows,
  ONE_BEHIND,
  POSTGRES,
  SQLITE,
  storageRows,
  TWO_BEHIND,
} from "./storage-rows.ts";
import { measureWriting, writingTable } from "./writing.ts";

export interface StorageBenchOptions {
  readonly repetitions: number;
  /** Length of a round, in milliseconds. */
  readonly windowMs: number;
  readonly force: boolean;
}

const CONNECTIONS = 64;
/** The least speed of bound requests on PostgreSQL, as a share of that on SQLite. */
const LEAST_RATIO = 0.6;
const BODIES = ["1k", "200k"] as const;

/** Compares both databases: rows, bound requests, and gateways behind a load balancer. */
export async function runStorageBench(options: StorageBenchOptions): Promise<number> {
  const machine = await prepareMachine(options.force);
  if (machine === null) return 2;
  const { cores, description, loaded } = machine;
  const { repetitions, windowMs } = options;
  const folder = mkdtempSync(join(RESULTS_FOLDER, "run-"));
  const measured = new Measurements();
  // PostgreSQL uses any free core, just as SQLite's threads in the gateway do.
  const postgres = await startPostgres(null);
  try {
    const writing = { repetitions, windowMs, cores: cores.server, folder, postgres };
    const rows = await measureWriting(writing);
    await measureRequests(options, cores, postgres, measured);
    console.log(`\n${writingTable(rows)}\n\n${requestTable(measured)}`);
    const passed = tellBounds(measured);
    const { rounds } = measured;
    const results = { machine: description, loaded_machine: loaded, options, rows, rounds };
    writeResults("storage", results, null);
    return passed ? 0 : 1;
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureRequests(
  options: StorageBenchOptions,
  cores: CoreAssignment,
  postgres: RunningPostgres,
  measured: Measurements,
): Promise<void> {
  const { repetitions, windowMs, force } = options;
  const spec: GatewayBenchOptions = { ...FULL_RUN, connections: [CONNECTIONS], windowMs, force };
  const upstream = await startUpstream(cores.upstream);
  const load = await LoadGenerator.start(cores.load);
  const runner = new RoundRunner(spec, load, measured, 6 * repetitions);
  const measure = async (rows: readonly ServerRow[], body: BodyName, core: string | null) => {
    const context = { upstream, cores: core };
    const servers = await startServers(await present(rows), context, body, leaveOut);
    try {
      const warm = await runner.warmUp(servers.started, body);
      for (let round = 0; round < repetitions; round++) await runner.rounds(warm, body, round);
    } finally {
      await servers.stop();
    }
  };
  try {
    for (const body of BODIES) await measure(storageRows(postgres), body, cores.server);
    await measure(balancedRows(postgres, cores.serverTwoCores), "1k", cores.upstream);
  } finally {
    await load.stop();
    await upstream.stop();
  }
}

async function present(rows: readonly ServerRow[]): Promise<readonly ServerRow[]> {
  const there: ServerRow[] = [];
  for (const row of rows) {
    const reason = await row.reasonMissing();
    if (reason === null) there.push(row);
    else leaveOut(row.name, reason);
  }
  return there;
}

function leaveOut(row: string, reason: string): void {
  warning(`${row} is left out: ${reason}`);
}

const PAIRS = [
  ...BODIES.map((body) => ({ row: POSTGRES, base: SQLITE, body, least: LEAST_RATIO })),
  { row: TWO_BEHIND, base: ONE_BEHIND, body: "1k", least: null },
] as const;

function requestTable(measured: Measurements): string {
  const rows = PAIRS.flatMap(({ row, base, body }) =>
    [base, row].map((name) => {
      const figure = (of: "requests_per_second" | "p50_ms" | "p99_ms", digits: number): string =>
        measured.figure(of, name, body, CONNECTIONS).toFixed(digits);
      return [
        name,
        body,
        figure("requests_per_second", 0),
        figure("p50_ms", 2),
        figure("p99_ms", 2),
        String(measured.errors(name, body, CONNECTIONS)),
        measured.ratio("requests_per_second", name, base, body, CONNECTIONS).toFixed(2),
      ];
    }),
  );
  const header = ["row", "body", "requests/s", "p50 ms", "p99 ms", "errors", "speed / the other"];
  return textTable(header, rows);
}

function tellBounds(measured: Measurements): boolean {
  const lines = PAIRS.flatMap(({ row, base, body, least }) => {
    if (least === null) return [];
    const ratio = measured.ratio("requests_per_second", row, base, body, CONNECTIONS);
    const errors =
      measured.errors(row, body, CONNECTIONS) + measured.errors(base, body, CONNECTIONS);
    const passed = ratio >= least && errors === 0;
    return [{ row, base, body, least, ratio, passed }];
  });
  const rows = lines.map(({ row, base, body, least, ratio, passed }) => [
    `${row} to ${base}, requests/s, ${body}, ${CONNECTIONS} connections`,
    `>= ${least}`,
    ratio.toFixed(2),
    verdict(passed),
  ]);
  console.log(`\n${textTable(["ratio", "bound", "measured", "verdict"], rows)}`);
  return lines.every(({ passed }) => passed);
}
