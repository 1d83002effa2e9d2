import { query } from "@proj/database";
import { sql } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreQueries, StoreSource } from "../../dialect.ts";
import type { RewardReplacement, RewardReplacementOutcome } from "../../job-store.ts";
import { withReplacedMetaText } from "../../meta-json.ts";
import { readTime } from "../read-time.ts";
import { writeEvaluatorScores } from "../scores/write-scores.ts";
import { overwriteReward } from "./write-reward.ts";

// Changes nothing, but locks the row until the end of the transaction, in every database.
const keepEnded = query(({ db }: StoreSource) =>
  db
    .updateTable("job_environments")
    .set(({ ref }) => ({ status: ref("status") }))
    .where("session_id", "=", parameter<string>("session_id"))
    .where("status", "in", ["finished", "failed", "infrastructure"])
    .returning(["job_id", "simulation_id", "attempt"]),
);
const findLater = query(({ db }: StoreSource) =>
  db
    .selectFrom("job_environments")
    .select("attempt")
    .where("job_id", "=", parameter<string>("job_id"))
    .where("simulation_id", "=", parameter<string>("simulation_id"))
    .where("attempt", ">", parameter<number>("attempt")),
);
const stepsOfSession = ({ db }: StoreSource) =>
  db
    .selectFrom("stored_steps")
    .select(["id", "meta_json"])
    .where("session_id", "=", parameter<string>("session_id"));
const findRewarded = query((source: StoreSource) =>
  stepsOfSession(source).where("is_session_completed", "=", sql.lit(true)),
);
const findStep = query((source: StoreSource) =>
  stepsOfSession(source)
    .where("model", "=", parameter<string>("model"))
    .where("step_id", "=", parameter<number>("step_id")),
);
const finish = query(({ db }: StoreSource) =>
  db
    .updateTable("job_environments")
    .set(({ fn, ref, val }) => ({
      status: "finished",
      reward: parameter<number>("reward"),
      error: val(null),
      finished_at: fn.coalesce(ref("finished_at"), parameter<string>("now")),
    }))
    .where("session_id", "=", parameter<string>("session_id")),
);

export function replaceReward(
  database: StoreQueries,
  replacement: RewardReplacement,
): Promise<RewardReplacementOutcome> {
  const { session_id, model, step_id, reward } = replacement;
  return database.transaction(async (runner) => {
    const now = await readTime(runner);
    const [environment] = (await runner.run(keepEnded, { session_id })).rows;
    if (environment === undefined) return "not_ended";
    const later = await runner.run(findLater, { ...environment });
    if (later.rows.length > 0) return "superseded";
    const [rewarded] = (await runner.run(findRewarded, { session_id })).rows;
    const step = rewarded ?? (await runner.run(findStep, { session_id, model, step_id })).rows[0];
    if (step === undefined) return "no_step";
    const meta_json = withReplacedMetaText(step.meta_json, "eval", replacement.evaluation);
    await overwriteReward(runner, { ...replacement, id: step.id, meta_json });
    await writeEvaluatorScores(runner, replacement, now);
    await runner.run(finish, { session_id, reward, now });
    return "replaced";
  });
}
