import { type QueryValues, query } from "@proj/database";
import { sql } from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import { parseMeta } from "../../meta-json.ts";

export interface RewardOfStep {
  /** The step's `id`. */
  readonly id: number;
  readonly reward: number;
  /** False leaves the step's own value. */
  readonly is_truncated: boolean;
  readonly cut_finishes?: readonly string[] | undefined;
  readonly meta_json: string;
}

const update = ({ db }: StoreSource) =>
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
    .where("id", "=", parameter<number>("id"));
const updateAny = query(update);
const updateUnrewarded = query((source: StoreSource) =>
  update(source).where("is_session_completed", "=", sql.lit(false)),
);

/** Writes a reward to a step, which becomes the last of its session. An existing reward stays. */
export async function writeReward(runner: StoreRunner, reward: RewardOfStep): Promise<void> {
  await runner.run(updateUnrewarded, valuesOf(reward));
}

/** The same, but replaces an existing reward. */
export async function overwriteReward(runner: StoreRunner, reward: RewardOfStep): Promise<void> {
  await runner.run(updateAny, valuesOf(reward));
}

const valuesOf = (of: RewardOfStep): QueryValues => ({
  id: of.id,
  reward: of.reward,
  is_truncated: Number(of.is_truncated || isCut(of)),
  meta_json: of.meta_json,
});

function isCut({ meta_json, cut_finishes = [] }: RewardOfStep): boolean {
  const { finish_reason } = parseMeta(meta_json) ?? {};
  return typeof finish_reason === "string" && cut_finishes.includes(finish_reason);
}
