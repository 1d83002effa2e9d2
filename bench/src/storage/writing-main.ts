/** A child process of the bench: writes rows of about 1 KB to a store, one call after the other. */
import { monotonicMs, openStore, type SessionStore, type StepRow } from "@proj/session-store";
import type { WritingResult, WritingSpec } from "./writing-protocol.ts";

const SESSIONS = 64;
const DEADLINE_MS = 30_000;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const messages = utf8(JSON.stringify([{ role: "user", content: "x".repeat(700) }]));
const request = utf8('{"model":"bench-model","max_tokens":256,"temperature":0.7}');
const response = utf8(
  JSON.stringify({ choices: [{ message: { role: "assistant", content: "y".repeat(200) } }] }),
);

const spec = JSON.parse(process.argv[2] ?? "") as WritingSpec;
const store = await openStore(spec.storage);
const epochs = await bindSessions(store);
// Prepares the statements, and lets hot code compile.
await write(spec.windowMs / 4, 0);
const result = await write(spec.windowMs, 1_000_000);
await store.close();
process.send?.(result);
process.disconnect?.();

async function write(windowMs: number, firstRow: number): Promise<WritingResult> {
  const start = performance.now();
  let row = firstRow;
  while (performance.now() - start < windowMs) {
    const rows = Array.from({ length: spec.batch }, () => stepRow(row++));
    await store.writeSteps(rows, { deadline: monotonicMs() + DEADLINE_MS });
  }
  const rows = row - firstRow;
  return { rows, rows_per_second: (1000 * rows) / (performance.now() - start) };
}

async function bindSessions(to: SessionStore): Promise<readonly number[]> {
  const bound: number[] = [];
  for (let session = 0; session < SESSIONS; session++) {
    bound.push((await to.bindSession(`bench-${session}`)).epoch);
  }
  return bound;
}

function stepRow(number: number): StepRow {
  const session = number % SESSIONS;
  return {
    request_id: `bench-request-${number}`,
    session_id: `bench-${session}`,
    model: "bench-model",
    step_id: Math.floor(number / SESSIONS) + 1,
    epoch: epochs[session] ?? null,
    status_code: 200,
    env_name: null,
    job_id: null,
    group_id: null,
    created_at: "2026-01-02T03:04:05.678Z",
    meta_json: '{"status_code":200,"outcome":"completed","endpoint":"chat_completions"}',
    request,
    response,
    messages,
    history: null,
  };
}
