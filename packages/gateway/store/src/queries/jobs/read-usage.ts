import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { AttemptUsage, UsagePage, UsageQuery } from "../../job-pages.ts";
import { sumOf } from "../meta-sum.ts";
import { attemptsAfter } from "./read-environments.ts";

/** One read covers at most this many attempts, and this many rows or the rows of one attempt. */
const maxAttempts = 1000;
const maxRows = 2000;

const key = ["session_id", "simulation_id", "attempt"] as const;

const own = (source: StoreSource) =>
  source.db.selectFrom(
    attemptsAfter(source).select(key).limit(parameter<number>("limit")).as("own"),
  );

/** Answered by the index by step alone. */
const countRows = query((source: StoreSource) =>
  own(source)
    .leftJoin("stored_steps", "stored_steps.session_id", "own.session_id")
    .select(["own.simulation_id", "own.attempt"])
    .select(({ fn }) => fn.count("stored_steps.id").as("rows"))
    .groupBy(["own.simulation_id", "own.attempt"])
    .orderBy("own.simulation_id")
    .orderBy("own.attempt"),
);

const sumAttempts = query((source: StoreSource) =>
  own(source)
    .leftJoin(
      () => numbersOfSteps(source).as("step"),
      (join) => join.onRef("step.step_session", "=", "own.session_id"),
    )
    .select([...key, "model"])
    .select(({ fn }) => [
      fn.count("step.id").as("calls"),
      sumOf("prompt_tokens").as("prompt_tokens"),
      sumOf("completion_tokens").as("completion_tokens"),
      sumOf("cost_nano_usd").as("cost_nano_usd"),
    ])
    .groupBy([...key, "model"])
    .orderBy("simulation_id")
    .orderBy("attempt")
    .orderBy("model"),
);

const numbersOfSteps = ({ db, dialect }: StoreSource) =>
  db
    .selectFrom("stored_steps")
    .select(["id", "model", "session_id as step_session"])
    .select(dialect.metaNumber("prompt_tokens").as("prompt_tokens"))
    .select(dialect.metaNumber("completion_tokens").as("completion_tokens"))
    .select(dialect.metaNumber("cost_nano_usd").as("cost_nano_usd"));

/** A page of what the sessions of a job's attempts used, in the order of (simulation_id, attempt). */
export async function readUsage(
  runner: StoreRunner,
  { job_id, after }: UsageQuery,
): Promise<UsagePage> {
  const from = {
    job_id,
    simulation_id: after?.simulation_id ?? "",
    attempt: after?.attempt ?? 0,
  };
  const counts = (await runner.run(countRows, { ...from, limit: maxAttempts })).rows;
  const limit = firstOf(counts.map(({ rows }) => Number(rows)));
  const { rows } = await runner.run(sumAttempts, { ...from, limit });
  const attempts = new Map<string, AttemptUsage>();
  for (const { model, ...row } of rows) {
    const { session_id, simulation_id, attempt } = row;
    const before = attempts.get(session_id);
    attempts.set(session_id, {
      ...{ session_id, simulation_id, attempt },
      models: [...(before?.models ?? []), ...(model === null ? [] : [model])],
      calls: (before?.calls ?? 0) + Number(row.calls),
      prompt_tokens: (before?.prompt_tokens ?? 0) + (row.prompt_tokens ?? 0),
      completion_tokens: (before?.completion_tokens ?? 0) + (row.completion_tokens ?? 0),
      cost_nano_usd: (before?.cost_nano_usd ?? 0) + (row.cost_nano_usd ?? 0),
    });
  }
  const last = counts[limit - 1];
  const isEnd = last === undefined || (limit === counts.length && limit < maxAttempts);
  const { simulation_id = "", attempt = 0 } = last ?? {};
  return {
    attempts: [...attempts.values()],
    next_after: isEnd ? null : { simulation_id, attempt },
  };
}

/** How many of these have few enough rows together; at least one. */
function firstOf(rows: readonly number[]): number {
  let sum = 0;
  const end = rows.findIndex((count, index) => {
    sum += count;
    return index > 0 && sum > maxRows;
  });
  return end < 0 ? rows.length : end;
}
