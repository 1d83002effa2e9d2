import { compileMigrations } from "@proj/database/queries";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { migrations } from "../../src/migrations/migrations.ts";
import { openJobStore } from "../../src/open-job-store.ts";
import { openStore, type StoreOptions } from "../../src/open-store.ts";
import { postgresSource } from "../../src/postgres/postgres-source.ts";
import { sqliteSource } from "../../src/sqlite/sqlite-source.ts";
import { connectTo, isPostgres, temporaryFile } from "../temporary-database.ts";

interface Empty {
  readonly options: StoreOptions;
  readonly run: (sql: string) => Promise<unknown>;
}

async function emptyDatabase(): Promise<Empty> {
  if (!isPostgres) {
    const file = await temporaryFile();
    const database = connectTo(file);
    const storage_config = { db_url: `sqlite://${file}` };
    return {
      options: { storage_type: "sqlite", storage_config },
      run: async (sql) => database.exec(sql),
    };
  }
  const database = await temporaryPostgres();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const options: StoreOptions = {
    storage_type: "cloud",
    storage_config: { db_url: database.url },
  };
  return { options, run: (sql) => client.query(sql) };
}

const versions = Array.from({ length: migrations.length - 2 }, (_, index) => index + 2);

test.each(versions)(
  "a filled database of schema %i is updated, and keeps its rows",
  async (before) => {
    const { options, run } = await emptyDatabase();
    const compiled = isPostgres
      ? compileMigrations(migrations.slice(0, before), postgresSource)
      : compileMigrations(migrations.slice(0, before), sqliteSource);
    for (const { sql } of compiled.flat()) await run(sql);
    await run(`create table storage_info
    (storage_id text not null primary key, schema_version integer not null, created_at text not null);
    insert into storage_info values ('old', ${before}, '2026-01-01T00:00:00.000Z');
    insert into job_environments (session_id, job_id, simulation_id, attempt, status, reward, owner, created_at)
    values ('one', 'job', 'a', 1, 'finished', 0.5, 'me', '2026'), ('two', 'job', 'b', 1, 'running', null, 'me', '2026');
    insert into stored_steps (request_id, session_id, model, step_id, status_code, created_at, meta_json,
      request, response, messages, reward)
    values ('r', 'one', 'policy', 1, 200, '2026', '{"status_code":200}', '{}', '{"id":"x"}', '["hello"]', 0.5)`);
    const store = await openStore(options);
    onTestFinished(() => store.close());
    const jobs = await openJobStore(options);
    onTestFinished(() => jobs.close());
    expect((await store.readSteps({ session_id: "one" })).steps).toMatchObject([
      { request: "{}", response: '{"id":"x"}', messages: '["hello"]', reward: 0.5 },
    ]);
    expect((await jobs.readEnvironments({ job_id: "job" })).environments).toMatchObject([
      { session_id: "one", status: "finished", reward: 0.5 },
      { session_id: "two", status: "running", reward: null },
    ]);
    expect(await jobs.readJob("job")).toMatchObject({ simulations: 2, finished: 1, running: 1 });
    // What later schemas added works on the old rows.
    const said = { name: "tidy", author: "person:ann", repetition: 1, label: null, comment: null };
    await jobs.writeScores([{ ...said, session_id: "one", value: 1, judged_in: null }]);
    expect((await jobs.readScores({ job_id: "job" })).scores).toHaveLength(1);
    expect(await jobs.readReview("job")).toBeNull();
    const failure = { error: "upstream_failed: 503", result: null, max_attempts: 1 };
    const ended = { session_id: "two", owner: "me", status: "infrastructure", ...failure } as const;
    expect(await jobs.fail(ended)).toBe(true);
    expect(await jobs.readJob("job")).toMatchObject({ infrastructure: 1, running: 0 });
  },
);
