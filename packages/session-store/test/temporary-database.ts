import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import { openSqliteStore, type SqliteStoreOptions } from "../src/sqlite/open-sqlite-store.ts";
import type { SessionStore, StepRow, WriteOptions } from "../src/store.ts";

/** A file name in a folder of its own, which is removed when the test has finished. */
export async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "session-store-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "gateway.db");
}

export async function openStoreOf(
  file: string,
  options: Partial<SqliteStoreOptions> = {},
): Promise<SessionStore> {
  const store = await openSqliteStore({ db_url: `sqlite://${file}`, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** A connection beside the store, as another program would have it. */
export function connectTo(file: string): Database.Database {
  const database = new Database(file, { timeout: 5000 });
  onTestFinished(() => {
    database.close();
  });
  return database;
}

/** A deadline that a test does not reach. */
export const soon = (milliseconds = 10_000): WriteOptions => ({
  deadline: Date.now() + milliseconds,
});

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function stepRow(step_id: number, changes: Partial<StepRow> = {}): StepRow {
  return {
    request_id: `request-${step_id}`,
    session_id: "session-1",
    model: "policy",
    step_id,
    status_code: 200,
    env_name: null,
    job_id: null,
    group_id: null,
    created_at: "2026-01-02T03:04:05.678Z",
    meta_json: '{"status_code":200}',
    request: utf8('{"model":"policy"}'),
    response: utf8('{"id":"answer"}'),
    messages: utf8("[]"),
    ...changes,
  };
}

/** Every stored step, page by page. */
export async function allSteps(store: SessionStore, session_id = "session-1") {
  const pages = [];
  let after: number | null = 0;
  while (after !== null) {
    const page = await store.readSteps({ session_id, after, limit: 1000 });
    pages.push(page.steps);
    after = page.next_after;
  }
  return pages.flat();
}
