import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicMs, openJobStore, openStore, type StoreOptions } from "@proj/session-store";

const folder = await mkdtemp(join(tmpdir(), "jobs-"));
const options: StoreOptions = {
  storage_type: "sqlite",
  storage_config: { db_url: `sqlite://${join(folder, "gateway.db")}` },
};
const jobs = await openJobStore(options);
const job_id = "job-1";
const owner = "launcher-1";

const simulation = { env_name: "maze", env_params: '{"seed":7}', group_id: null };
await jobs.addSimulations(job_id, [{ simulation_id: "maze-7", ...simulation }]);
const [attempt] = await jobs.claim({ job_id, owner, limit: 1 });
assert.ok(attempt);
const { session_id } = attempt;
assert.deepEqual(await jobs.heartbeat(owner, [session_id]), []);

// The gateway's part: it writes a step of the session.
const gateway = await openStore(options);
const names = { session_id, job_id, env_name: "maze", group_id: null, model: "policy" };
const payload = { request: null, response: null, messages: null, history: null };
const meta_json = '{"status_code":200}';
const created_at = new Date().toISOString();
await gateway.writeSteps(
  [
    {
      request_id: "request-1",
      ...names,
      step_id: 1,
      epoch: null,
      status_code: 200,
      created_at,
      meta_json,
      ...payload,
    },
  ],
  { deadline: monotonicMs() + 10_000 },
);
await gateway.close();

const step_id = await jobs.readLargestSuccessStep({ session_id, model: "policy" });
assert.ok(step_id);
const outcome = await jobs.commitReward({
  session_id,
  owner,
  model: "policy",
  step_id,
  reward: 0.5,
  is_truncated: false,
  evaluation: '{"score":0.5}',
  result: '{"status":"completed"}',
});
assert.equal(outcome, "committed");
const job = await jobs.readJob(job_id);
assert.equal(job?.finished, 1);
assert.equal(job?.mean_reward, 0.5);

await jobs.close();
await rm(folder, { recursive: true });
