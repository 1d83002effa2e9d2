import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicMs, openStore, type StepRow } from "@proj/session-store";

const folder = await mkdtemp(join(tmpdir(), "quickstart-"));
const store = await openStore({
  storage_type: "sqlite",
  storage_config: { db_url: `sqlite://${join(folder, "gateway.db")}` },
});

const step: StepRow = {
  request_id: "request-1",
  session_id: "run-1",
  model: "policy",
  step_id: 1,
  epoch: null,
  status_code: 200,
  env_name: null,
  job_id: null,
  group_id: null,
  created_at: new Date().toISOString(),
  meta_json: '{"status_code":200,"prompt_tokens":12}',
  request: Buffer.from('{"model":"policy"}'),
  response: Buffer.from('{"choices":[]}'),
  messages: Buffer.from('[{"role":"user","content":"hi"}]'),
  history: null,
};
await store.writeSteps([step], { deadline: monotonicMs() + 10_000 });

assert.equal(await store.readLatestSuccessStep({ session_id: "run-1", model: "policy" }), 1);
const { steps } = await store.readSteps({ session_id: "run-1" });
assert.equal(steps[0]?.messages, '[{"role":"user","content":"hi"}]');
await store.close();
await rm(folder, { recursive: true });
