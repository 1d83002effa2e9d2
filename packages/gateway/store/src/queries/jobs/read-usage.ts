import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { AttemptUsage, UsagePage, UsageQuery } from "../../job-pages.ts";
import { sumOf } from "../meta-sum.ts";

/** Few enough that reading all their steps stays quick. */
const maxAttempts = 20;

const sumAttempts = query(({ db, dialect }: StoreSource) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("job_environments")
        .select(["session_id", "simulation_id", "attempt"])
        .where("job_id", "=", parameter<string>("job_id"))
        .where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple("simulation_id", "attempt"),
            ">",
            tuple(parameter<string>("simulation_id"), parameter<number>("attempt")),
          ),
        )
        .orderBy("simulation_id")
        .orderBy("attempt")
        .limit(parameter<number>("limit"))
        .as("own"),
    )
    .leftJoin(
      (from) =>
        from
          .selectFrom("stored_steps")
          .select(["id", "session_id as step_session"])
          .select(dialect.metaNumber("prompt_tokens").as("prompt_tokens"))
          .select(dialect.metaNumber("completion_tokens").as("completion_tokens"))
          .select(dialect.metaNumber("cost_nano_usd").as("cost_nano_usd"))
          .as("step"),
      (join) => join.onRef("step.step_session", "=", "own.session_id"),
    )
    .select(({ fn }) => [
      "session_id",
      "simulation_id",
      "attempt",
      fn.count("step.id").as("calls"),
      sumOf("prompt_tokens").as("prompt_tokens"),
      sumOf("completion_tokens").as("completion_tokens"),
      sumOf("cost_nano_usd").as("cost_nano_usd"),
    ])
    .groupBy(["session_id", "simulation_id", "attempt"])
    .orderBy("simulation_id")
    .orderBy("attempt"),
);

/** A page of what the sessions of a job's attempts used, in the order of (simulation_id, attempt). */
export async function readUsage(
  runner: StoreRunner,
  { job_id, after }: UsageQuery,
): Promise<UsagePage> {
  const { rows } = await runner.run(sumAttempts, {
    job_id,
    simulation_id: after?.simulation_id ?? "",
    attempt: after?.attempt ?? 0,
    limit: maxAttempts,
  });
  const attempts = rows.map(
    ({ calls, prompt_tokens, completion_tokens, cost_nano_usd, ...names }): AttemptUsage => ({
      ...names,
      calls: Number(calls),
      prompt_tokens: prompt_tokens ?? 0,
      completion_tokens: completion_tokens ?? 0,
      cost_nano_usd: cost_nano_usd ?? 0,
    }),
  );
  const last = attempts.at(-1);
  if (last === undefined || attempts.length < maxAttempts) return { attempts, next_after: null };
  const { simulation_id, attempt } = last;
  return { attempts, next_after: { simulation_id, attempt } };
}
