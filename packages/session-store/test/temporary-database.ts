import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { openSqliteStore, type SqliteStoreOptions } from "../src/sqlite/open-sqlite-store.ts";
import type { SessionStore, StepRow, StoredStep, WriteOptions } from "../src/store.ts";

interface OpenDatabase {
  readonly file: string;
  readonly store: SessionStore;
}

/** One database for all tests of a file: opening one starts two threads. Each test has its own session. */
export function sharedDatabase(): OpenDatabase {
  let database: OpenDatabase | undefined;
  const opened = (): OpenDatabase => {
    if (database === undefined) throw new Error("The shared database is open only during tests.");
    return database;
  };
  beforeAll(async () => {
    const file = await makeFile();
    database = { file, store: await openSqliteStore({ db_url: `sqlite://${file}` }) };
  });
  afterAll(async () => {
    await opened().store.close();
    await removeFile(opened().file);
  });
  return {
    get file() {
      return opened().file;
    },
    get store() {
      return opened().store;
    },
  };
}

/** A file name in a folder of its own, which is removed when the test has finished. */
export async function temporaryFile(): Promise<string> {
  const file = await makeFile();
  onTestFinished(() => removeFile(file));
  return file;
}

/** Closed when the test has finished, if not before. */
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

export interface TestSession {
  readonly session_id: string;
  /** A step with a `request_id` of its own. */
  row(step_id: number, changes?: Partial<StepRow>): StepRow;
  /** Every stored step of the session, read page by page. */
  steps(): Promise<StoredStep[]>;
}

let sessions = 0;

export function newSession(store: SessionStore): TestSession {
  sessions += 1;
  const session_id = `session-${sessions}`;
  return {
    session_id,
    row: (step_id, changes = {}) => ({
      request_id: `${session_id}-request-${step_id}`,
      session_id,
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
    }),
    async steps() {
      const steps: StoredStep[] = [];
      for (let after: number | null = 0; after !== null; ) {
        const page = await store.readSteps({ session_id, after });
        steps.push(...page.steps);
        after = page.next_after;
      }
      return steps;
    },
  };
}

/** A deadline that a test does not reach. */
export const soon = (): WriteOptions => ({ deadline: Date.now() + 15_000 });

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

async function makeFile(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), "session-store-")), "gateway.db");
}

async function removeFile(file: string): Promise<void> {
  await rm(dirname(file), { recursive: true, force: true });
}
