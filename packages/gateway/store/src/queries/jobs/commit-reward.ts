import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreQueries, StoreSource } from "../../dialect.ts";
import type { RewardCommit, RewardCommitOutcome } from "../../job-store.ts";
import { parseMeta, withMetaText } from "../../meta-json.ts";
import { readTime } from "../read-time.ts";
import { writeEvaluatorScores } from "../scores/write-scores.ts";
import { finishGroup } from "./finish-group.ts";
import { writeReward } from "./write-reward.ts";

// Changes nothing, but locks the row until the end of the transaction, in every database.
const keepOwn = query(({ db }: StoreSource) =>
  db
    .updateTable("job_environments")
    .set({ status: "running" })
    .where("session_id", "=", parameter<string>("session_id"))
    .where("owner", "=", parameter<string>("owner"))
    .where("status", "=", "running")
    .returning(["job_id", "simulation_id", "group_id"]),
);
const findStatus = query(({ db }: StoreSource) =>
  db
    .selectFrom("job_environments")
    .select("status")
    .where("session_id", "=", parameter<string>("session_id")),
);
const findStep = query(({ db }: StoreSource) =>
  db
    .selectFrom("stored_steps")
    .select(["id", "reward", "is_session_completed", "meta_json"])
    .where("session_id", "=", parameter<string>("session_id"))
    .where("model", "=", parameter<string>("model"))
    .where("step_id", "=", parameter<number>("step_id")),
);
const finish = query(({ db }: StoreSource) =>
  db
    .updateTable("job_environments")
    .set({
      status: "finished",
      reward: parameter<number | null>("reward"),
      result: parameter<string>("result"),
      finished_at: parameter<string>("now"),
    })
    .where("session_id", "=", parameter<string>("session_id")),
);

export function commitReward(
  database: StoreQueries,
  commit: RewardCommit,
): Promise<RewardCommitOutcome> {
  const { session_id, owner, model, step_id, result } = commit;
  return database.transaction(async (runner) => {
    const now = await readTime(runner);
    const [own] = (await runner.run(keepOwn, { session_id, owner })).rows;
    if (own === undefined) {
      const [environment] = (await runner.run(findStatus, { session_id })).rows;
      return environment?.status === "finished" ? "already_committed" : "not_owner";
    }
    if (step_id === null) {
      await runner.run(finish, { session_id, reward: commit.reward, result, now });
      await finishGroup(runner, { ...own, now });
      return "committed";
    }
    const [step] = (await runner.run(findStep, { session_id, model, step_id })).rows;
    if (step === undefined) return "no_step";
    if (step.is_session_completed) {
      await runner.run(finish, { session_id, reward: step.reward, result, now });
      await finishGroup(runner, { ...own, now });
      return "already_committed";
    }
    const meta_json = withMetaText(step.meta_json, "eval", commit.evaluation);
    await writeReward(runner, { ...commit, id: step.id, meta_json });
    await runner.run(finish, { session_id, reward: commit.reward, result, now });
    await writeEvaluatorScores(runner, commit, now);
    await finishGroup(runner, { ...own, now });
    return "committed";
  });
}

/** @throws TypeError the reward or its evaluation is invalid */
export function checkReward({
  reward,
  evaluation,
}: Pick<RewardCommit, "reward" | "evaluation">): void {
  if (!Number.isFinite(reward))
    throw new TypeError(`reward must be a finite number, but is ${reward}`);
  if (parseMeta(evaluation) === null) {
    throw new TypeError("evaluation must be the JSON text of an object");
  }
}
