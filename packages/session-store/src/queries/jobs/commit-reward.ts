import { sql } from "kysely";
import type { RewardCommit, RewardCommitOutcome } from "../../job-store.ts";
import { parseMeta, withMetaText } from "../../meta-json.ts";
import { parameter } from "../prepared-query.ts";
import type { Transaction, TransactionSource } from "../transaction.ts";

/** @throws TypeError the reward or its evaluation is not what it has to be */
export function checkReward({ reward, evaluation }: RewardCommit): void {
  if (!Number.isFinite(reward))
    throw new TypeError(`reward must be a finite number, but is ${reward}`);
  if (parseMeta(evaluation) === null) {
    throw new TypeError("evaluation must be the JSON text of an object, and is not");
  }
}

export function rewardCommitter(
  source: TransactionSource,
): (commit: RewardCommit, now: string) => Transaction<RewardCommitOutcome> {
  const { keepOwn, findStatus, findStep, reward, finish } = prepareQueries(source);
  return function* (commit, now) {
    const { session_id, owner, model, step_id, result } = commit;
    if ((yield* keepOwn({ session_id, owner })).length === 0) {
      const [environment] = yield* findStatus({ session_id });
      return environment?.status === "finished" ? "already_committed" : "not_owner";
    }
    const [step] = yield* findStep({ session_id, model, step_id });
    if (step === undefined) return "no_step";
    if (step.is_session_completed) {
      yield* finish({ session_id, reward: step.reward, result, now });
      return "already_committed";
    }
    yield* reward({
      id: step.id,
      reward: commit.reward,
      is_truncated: Number(commit.is_truncated),
      meta_json: withMetaText(step.meta_json, "eval", commit.evaluation),
    });
    yield* finish({ session_id, reward: commit.reward, result, now });
    return "committed";
  };
}

function prepareQueries({ db, prepare }: TransactionSource) {
  return {
    // Changes nothing: it has the row locked to the end of the transaction, in every database.
    keepOwn: prepare(
      db
        .updateTable("job_environments")
        .set({ status: "running" })
        .where("session_id", "=", parameter<string>("session_id"))
        .where("owner", "=", parameter<string>("owner"))
        .where("status", "=", "running")
        .returning("session_id"),
    ),
    findStatus: prepare(
      db
        .selectFrom("job_environments")
        .select("status")
        .where("session_id", "=", parameter<string>("session_id")),
    ),
    findStep: prepare(
      db
        .selectFrom("stored_steps")
        .select(["id", "reward", "is_session_completed", "meta_json"])
        .where("session_id", "=", parameter<string>("session_id"))
        .where("model", "=", parameter<string>("model"))
        .where("step_id", "=", parameter<number>("step_id")),
    ),
    reward: prepare(
      db
        .updateTable("stored_steps")
        .set(({ ref }) => ({
          reward: parameter<number>("reward"),
          step_reward: parameter<number>("reward"),
          is_terminal: sql.lit(true),
          is_session_completed: sql.lit(true),
          is_truncated: sql<boolean>`case when ${parameter<number>("is_truncated")} = 1 then ${sql.lit(true)} else ${ref("is_truncated")} end`,
          meta_json: parameter<string>("meta_json"),
        }))
        .where("id", "=", parameter<number>("id"))
        .where("is_session_completed", "=", sql.lit(false)),
    ),
    finish: prepare(
      db
        .updateTable("job_environments")
        .set({
          status: "finished",
          reward: parameter<number | null>("reward"),
          result: parameter<string>("result"),
          finished_at: parameter<string>("now"),
        })
        .where("session_id", "=", parameter<string>("session_id")),
    ),
  };
}
