import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "@proj/session-store";
import { RESULTS_FOLDER } from "../results.ts";
import { gatewayRow } from "../servers/gateway-rows.ts";
import { startServers } from "../servers/server-set.ts";
import { median } from "../statistics.ts";
import { progress } from "../terminal/progress.ts";
import type { Growth, GrowthContext } from "./growth.ts";

const STEPS_OF_SESSION = 100;
const READS = 200;
const ROUNDS = 3;

interface Measured {
  readonly cpu_us: number;
  readonly start_ms: number;
  readonly page_ms: number;
  readonly latest_ms: number;
  readonly errors: number;
}

/** One database that grows by plain inserts; the gateway runs on it at each size. */
export async function growthOfRows(context: GrowthContext): Promise<Growth> {
  const counts = context.quick ? [1000, 10_000] : [1e4, 1e5, 1e6, 1e7];
  const folder = mkdtempSync(join(RESULTS_FOLDER, "run-"));
  const file = join(folder, "rows.db");
  const all: (readonly [number, Measured])[] = [];
  try {
    const storage_config = { db_url: `sqlite://${file}` };
    await (await openStore({ storage_type: "sqlite", storage_config })).close();
    let rows = 0;
    for (const count of counts) {
      const began = performance.now();
      insertRows(file, rows, count);
      rows = count;
      progress(`${count} rows after ${((performance.now() - began) / 1000).toFixed(0)} s`);
      all.push([count, await measure(context, file, count)]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const curve = (name: string, unit: string, isCost: boolean, of: (each: Measured) => number) => ({
    ...{ name, unit, isCost },
    points: all.map(([size, measured]) => [size, of(measured)] as const),
  });
  return {
    name: "rows",
    title: "A gateway by the rows that its database holds",
    of: "stored rows",
    errors: all.reduce((sum, [, { errors }]) => sum + errors, 0),
    curves: [
      curve("CPU of a bound request", "µs", true, ({ cpu_us }) => cpu_us),
      curve("a page of 100 steps", "ms", true, ({ page_ms }) => page_ms),
      curve("the latest success", "ms", true, ({ latest_ms }) => latest_ms),
      curve("start until ready", "ms", true, ({ start_ms }) => start_ms),
    ],
  };
}

/** Without syncing: the measurement is about rows that are already stored. */
function insertRows(file: string, from: number, to: number): void {
  const database = new DatabaseSync(file);
  try {
    database.exec("pragma synchronous = off; pragma cache_size = -500000");
    database
      .prepare(
        `insert into stored_steps (request_id, session_id, model, step_id, status_code, created_at,
           meta_json, request, response, messages)
         with recursive number(n) as (select ?1 union all select n + 1 from number where n + 1 < ?2)
         select printf('%012d', n), printf('old-%08d', n / ${STEPS_OF_SESSION}), 'bench-model',
           1 + n % ${STEPS_OF_SESSION}, 200, '2026-01-01T00:00:00.000Z', '{"status_code":200}',
           '{"model":"bench-model"}', '{"id":"x"}', '[]'
         from number`,
      )
      .run(from, to);
    database.exec("pragma wal_checkpoint(truncate)");
  } finally {
    database.close();
  }
}

async function measure(context: GrowthContext, file: string, rows: number): Promise<Measured> {
  const { upstream, cores, load, quick } = context;
  const row = gatewayRow({
    name: `${rows}-rows`,
    description: "",
    bound: true,
    storage: () => ({ storage_config: { db_url: `sqlite://${file}` } }),
  });
  const began = performance.now();
  const set = await startServers([row], { upstream, cores: cores.server }, "1k", (name, reason) => {
    throw new Error(`${name} did not start: ${reason}`);
  });
  const start_ms = performance.now() - began;
  try {
    const [started] = set.started;
    if (started === undefined) throw new Error("The gateway did not start.");
    const { target } = started;
    const sessions = Math.max(1, rows / STEPS_OF_SESSION);
    const read = (path: string) => readTimes(target.port, sessions, path);
    const page_ms = await read("steps?limit=100&model=bench-model");
    const latest_ms = await read("latest-success-step?model=bench-model");
    const round = { target, body: "1k", connections: 16, rampMs: 200 } as const;
    await load.round({ ...round, windowMs: quick ? 300 : 4000 });
    const results = [];
    for (let index = 0; index < (quick ? 1 : ROUNDS); index++)
      results.push(await load.round({ ...round, windowMs: quick ? 300 : 1500 }));
    const cpu_us = median(results.map(({ cpu_us_per_request }) => cpu_us_per_request));
    const errors = results.reduce((sum, result) => sum + result.errors, 0);
    progress(
      `${rows} rows: ${cpu_us.toFixed(1)} µs, page ${page_ms.toFixed(2)} ms, latest ${latest_ms.toFixed(2)} ms`,
    );
    return { cpu_us, start_ms, page_ms, latest_ms, errors };
  } finally {
    await set.stop();
  }
}

/** The median time for reading something of a session, a different one each time. */
async function readTimes(port: number, sessions: number, path: string): Promise<number> {
  const times: number[] = [];
  for (let read = 0; read < READS; read++) {
    const session = Math.floor(Math.random() * sessions);
    const id = `old-${String(session).padStart(8, "0")}`;
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/v1/sessions/${id}/${path}`);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path}: status ${answer.status}`);
    times.push(performance.now() - began);
  }
  return median(times);
}
