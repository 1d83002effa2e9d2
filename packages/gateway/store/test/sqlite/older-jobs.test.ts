import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { openJobStore } from "../../src/open-job-store.ts";
import { connectTo, openStoreOf, temporaryFile } from "../temporary-database.ts";

// Written by the release before scores, and dumped with sqlite3: a finished, a failed, a running and a pending attempt.
const dump = await readFile(new URL("../fixtures/schema-4.sql", import.meta.url), "utf8");

test("a filled database without scores becomes what a new one is, and keeps its rows", async () => {
  const file = await temporaryFile();
  const fresh = await temporaryFile();
  const before = connectTo(file);
  before.exec(dump);
  const rows = before.prepare("select * from job_environments order by session_id").all();
  await openStoreOf(fresh);
  const store = await openStoreOf(file);
  const storage = {
    storage_type: "sqlite",
    storage_config: { db_url: `sqlite://${file}` },
  } as const;
  const jobs = await openJobStore(storage);
  onTestFinished(() => jobs.close());

  const schemaOf = (name: string) =>
    connectTo(name)
      .prepare<[], { name: string; sql: string }>(
        "select name, sql from sqlite_master where sql is not null order by name",
      )
      .all()
      .map((each) => ({ ...each, sql: each.sql.replaceAll(/"|\s+/g, " ") }));
  expect(schemaOf(file)).toEqual(schemaOf(fresh));
  expect(
    connectTo(file).prepare("select * from job_environments order by session_id").all(),
  ).toEqual(rows);
  expect(await jobs.readJobs()).toMatchObject([
    { job_id: "before", pending: 1, running: 1, finished: 1, failed: 1, mean_reward: 0.5 },
  ]);
  const { environments } = await jobs.readEnvironments({ job_id: "before", limit: 10 });
  const statuses = environments.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(["failed", "finished", "pending", "running"]);

  const scored = environments.find(({ status }) => status === "finished");
  const running = environments.find(({ status }) => status === "running");
  if (scored === undefined || running === undefined) throw new Error("an attempt is missing");
  const { session_id } = scored;
  const [step] = (await store.readSteps({ session_id, limit: 10 })).steps;
  expect(step).toMatchObject({ reward: 0.5, is_session_completed: true });
  await jobs.writeScores([
    {
      ...{ session_id, name: "polite", author: "person:ann", repetition: 1 },
      ...{ value: 1, label: null, comment: null, judged_in: null },
    },
  ]);
  expect((await jobs.readScores({ job_id: "before" })).scores).toHaveLength(1);
  // Ends in the new class, and is played again.
  const failure = { error: "upstream_failed: 503", result: null, max_attempts: 3 } as const;
  const owner = "me";
  await jobs.fail({
    session_id: running.session_id,
    owner,
    status: "infrastructure",
    ...failure,
  });
  expect(await jobs.claim({ job_id: "before", owner, limit: 9 })).toHaveLength(2);
});
