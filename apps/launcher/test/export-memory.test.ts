import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { openJobStore } from "@proj/session-store";
import { temporaryFolder } from "@proj/test-kit";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { main } from "./launcher.ts";

const steps = 600;
const stepBytes = 200_000;

/** A finished simulation with many large steps, which the gateway would need minutes to write. */
function writeLargeSession(file: string): void {
  const database = new Database(file);
  database.pragma("synchronous = off");
  database.exec(`
    insert into job_environments
      (session_id, job_id, simulation_id, attempt, status, reward, created_at)
    values ('large', 'job-1', 's1', 1, 'finished', 1, '2026-01-01T00:00:00.000Z');
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${steps})
    insert into stored_steps
      (request_id, session_id, model, step_id, status_code, created_at, meta_json, response)
    select 'r' || n, 'large', 'demo', n, 200, '2026-01-01T00:00:00.000Z', '{}',
      '{"choices":[{"message":{"content":"' || hex(zeroblob(${stepBytes / 2})) || '"}}]}'
    from numbers;
  `);
  database.close();
}

test("120 MB of steps are exported in a heap of 64 MiB", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "gateway.db");
  const db_url = `sqlite://${file}`;
  const store = await openJobStore({ storage_type: "sqlite", storage_config: { db_url } });
  await store.close();
  writeLargeSession(file);
  const node = `"${process.execPath}" --conditions=@proj/source --max-old-space-size=64`;
  const command = `${node} "${main}" export --db-path "${db_url}" | wc -lc`;
  const { stdout, stderr } = await promisify(execFile)("sh", ["-c", command]);
  expect(stderr).toBe("");
  const [lines = 0, bytes = 0] = stdout.trim().split(/\s+/).map(Number);
  expect(lines).toBe(steps);
  expect(bytes).toBeGreaterThan(steps * stepBytes);
});
