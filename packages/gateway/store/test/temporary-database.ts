import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { monotonicMs } from "@proj/database";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import Database from "better-sqlite3";
import { Client } from "pg";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { openStore, type StoreOptions } from "../src/open-store.ts";
import { openSqliteStore, type SqliteStoreOptions } from "../src/sqlite/open-sqlite-store.ts";
import type {
  SessionStore,
  SharedHistory,
  StepRow,
  StepWritten,
  StoredStep,
  WriteOptions,
} from "../src/store.ts";
import type { BrowsableStore } from "../src/store-browser.ts";

interface TestDatabase {
  readonly storage_type: StoreOptions["storage_type"];
  readonly db_url: string;
  readonly store: BrowsableStore;
  /** Runs a statement that another program might run, with `?` for each value. */
  execute(sql: string, ...values: unknown[]): Promise<void>;
  query<Row>(sql: string, ...values: unknown[]): Promise<readonly Row[]>;
}

/** One database for all tests of a file, of the kind under test. Each test has its own session. */
export function sharedDatabase(): TestDatabase {
  let database: OpenDatabase | undefined;
  const opened = (): OpenDatabase => {
    if (database === undefined) throw new Error("The shared database is open only during tests.");
    return database;
  };
  beforeAll(async () => {
    database = await (isPostgres ? openPostgres() : openSqlite());
  });
  afterAll(() => opened().close());
  return {
    storage_type: isPostgres ? "cloud" : "sqlite",
    execute: async (sql, ...values) => void (await opened().query(sql, values)),
    query: (sql, ...values) => opened().query(sql, values),
    get db_url() {
      return opened().db_url;
    },
    get store() {
      return opened().store;
    },
  };
}

/** Whether tests for every database run for PostgreSQL now. */
export const isPostgres: boolean = process.env.TEST_STORE === "postgres";

interface OpenDatabase {
  readonly db_url: string;
  readonly store: BrowsableStore;
  query<Row>(sql: string, values: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

async function openSqlite(): Promise<OpenDatabase> {
  const file = await makeFile();
  const db_url = `sqlite://${file}`;
  const store = await openStore({ storage_type: "sqlite", storage_config: { db_url } });
  const other = new Database(file, { timeout: 30_000 });
  return {
    db_url,
    store,
    async query<Row>(sql: string, values: readonly unknown[]) {
      const statement = other.prepare<unknown[], Row>(sql);
      if (statement.reader) return statement.all(...values);
      statement.run(...values);
      return [];
    },
    async close() {
      other.close();
      await store.close();
      await removeFile(file);
    },
  };
}

async function openPostgres(): Promise<OpenDatabase> {
  const database = await temporaryPostgres();
  const db_url = database.url;
  const store = await openStore({ storage_type: "cloud", storage_config: { db_url } });
  const other = new Client({ connectionString: db_url });
  await other.connect();
  return {
    db_url,
    store,
    async query(sql, values) {
      const numbered = sql
        .split("?")
        .reduce((before, after, index) => `${before}$${index}${after}`);
      return (await other.query(numbered, [...values])).rows;
    },
    async close() {
      await other.end();
      await store.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** A file name in a new folder, which is removed when the test has finished. */
export async function temporaryFile(): Promise<string> {
  const file = await makeFile();
  onTestFinished(() => removeFile(file));
  return file;
}

/** Opens a store; it is closed when the test has finished, if not before. */
export async function openStoreOf(
  file: string,
  options: Partial<SqliteStoreOptions> = {},
): Promise<SessionStore> {
  const store = await openSqliteStore({ db_url: `sqlite://${file}`, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** A connection beside the store, such as another program might have. */
export function connectTo(file: string): Database.Database {
  const database = new Database(file, { timeout: 30_000 });
  onTestFinished(() => {
    database.close();
  });
  return database;
}

export interface TestSession {
  readonly session_id: string;
  /** A step with its own `request_id`. */
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
      epoch: null,
      status_code: 200,
      env_name: null,
      job_id: null,
      group_id: null,
      created_at: "2026-01-02T03:04:05.678Z",
      meta_json: '{"status_code":200}',
      request: utf8('{"model":"policy"}'),
      response: utf8('{"id":"answer"}'),
      messages: utf8("[]"),
      history: null,
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
export const soon = (): WriteOptions => ({ deadline: monotonicMs() + 15_000 });

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

async function makeFile(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), "session-store-")), "gateway.db");
}

async function removeFile(file: string): Promise<void> {
  await rm(dirname(file), { recursive: true, force: true });
}

/** For a row that shares its beginning with a stored one. */
export const builtOn = (base: StepWritten | undefined, messages_shared: number): SharedHistory => ({
  messages_base: base?.id ?? 0,
  base_request_id: base?.request_id ?? "",
  messages_shared,
});
