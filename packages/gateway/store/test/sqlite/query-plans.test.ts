import type { QueryResult } from "@proj/database";
import { expect, test } from "vitest";
import type { StoreQueries } from "../../src/dialect.ts";
import { readEnvironments } from "../../src/queries/jobs/read-environments.ts";
import { readFeed } from "../../src/queries/jobs/read-feed.ts";
import { readJob } from "../../src/queries/jobs/read-jobs.ts";
import { firstOf, retryFailed } from "../../src/queries/jobs/retry-failed.ts";
import { readScores } from "../../src/queries/scores/read-scores.ts";
import { sqliteSource } from "../../src/sqlite/sqlite-source.ts";
import { connectTo, temporaryFile } from "../temporary-database.ts";
import { openJobsOf, simulations } from "../temporary-jobs.ts";

test("no page of a job's attempts, scores or groups scans a table or sorts more than it returns", async () => {
  const file = await temporaryFile();
  const jobs = await openJobsOf(file);
  const job_id = "job";
  await jobs.addSimulations(job_id, simulations(2));
  const [attempt] = await jobs.claim({ job_id, owner: "me", limit: 1 });
  const session_id = attempt?.session_id ?? "";
  const database = connectTo(file);
  const plans: string[] = [];
  const queries: StoreQueries = {
    async run<Row>(
      query: Parameters<StoreQueries["run"]>[0],
      values = {},
    ): Promise<QueryResult<Row>> {
      const { sql, parameters } = query.compile(sqliteSource);
      const named = new Map(Object.entries(values));
      const bound = parameters.map((each) =>
        each !== null && typeof each === "object" && "name" in each
          ? named.get(String(each.name))
          : each,
      );
      const explain = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`);
      plans.push(...explain.all(...bound).map(({ detail }) => `${detail} of ${sql}`));
      const rows = database.prepare<unknown[], Row>(sql).all(...bound);
      return { rows, changes: 0 };
    },
    transaction: (work) => work(queries),
  };
  await readJob(queries, job_id);
  await readFeed(queries, { job_id });
  await readEnvironments(queries, { job_id });
  await readEnvironments(queries, { job_id, status: "running" });
  await readScores(queries, { job_id });
  const key = { session_id, name: "", author: "", repetition: 0 };
  await readScores(queries, { job_id, after: key });
  const bounds = { max_attempts: 2, max_infrastructure_attempts: 2, limit: 10 };
  await retryFailed(queries, { job_id, after: firstOf("failed"), ...bounds });
  expect(plans.length).toBeGreaterThan(10);
  expect(plans.filter((plan) => /^SCAN(?! CONSTANT)|^USE TEMP/.test(plan))).toEqual([]);
});
