import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreQueries, StoreRunner, StoreSource } from "../../dialect.ts";
import { parseMeta } from "../../meta-json.ts";
import type { NewScore } from "../../score.ts";
import { readTime } from "../read-time.ts";

const upsert = query(({ db }: StoreSource) =>
  db
    .insertInto("scores")
    .values({
      session_id: parameter<string>("session_id"),
      name: parameter<string>("name"),
      author: parameter<string>("author"),
      repetition: parameter<number>("repetition"),
      value: parameter<number | null>("value"),
      label: parameter<string | null>("label"),
      comment: parameter<string | null>("comment"),
      judged_in: parameter<string | null>("judged_in"),
      created_at: parameter<string>("now"),
    })
    .onConflict((conflict) =>
      conflict.columns(["session_id", "name", "author", "repetition"]).doUpdateSet(({ ref }) => ({
        value: ref("excluded.value"),
        label: ref("excluded.label"),
        comment: ref("excluded.comment"),
        judged_in: ref("excluded.judged_in"),
        created_at: ref("excluded.created_at"),
      })),
    ),
);
const remove = query(({ db }: StoreSource) =>
  db
    .deleteFrom("scores")
    .where("session_id", "=", parameter<string>("session_id"))
    .where("author", "=", parameter<string>("author")),
);

const evaluator = "evaluator";

/** All or none. A score that its author gave before is replaced. */
export function writeScores(database: StoreQueries, scores: readonly NewScore[]): Promise<null> {
  return database.transaction(async (runner) => {
    const now = await readTime(runner);
    for (const score of scores) await runner.run(upsert, { ...score, now });
    return null;
  });
}

/** Replaces what the evaluator said: the reward, and each member of the evaluation's `scores`. */
export async function writeEvaluatorScores(
  runner: StoreRunner,
  { session_id, reward, evaluation }: { session_id: string; reward: number; evaluation: string },
  now: string,
): Promise<void> {
  await runner.run(remove, { session_id, author: evaluator });
  const fixed = { session_id, author: evaluator, repetition: 1, comment: null, judged_in: null };
  const named = Object.entries(membersOf(parseMeta(evaluation)?.scores));
  for (const [name, given] of [...named, ["reward", reward] as const]) {
    const said = saidBy(given);
    if (said !== null) await runner.run(upsert, { ...fixed, name, ...said, now });
  }
}

/** Null: it is neither a number, a truth value nor a text. */
function saidBy(given: unknown): Pick<NewScore, "value" | "label"> | null {
  if (typeof given === "string") return { value: null, label: given };
  const value = typeof given === "boolean" ? Number(given) : given;
  return typeof value === "number" && Number.isFinite(value) ? { value, label: null } : null;
}

const membersOf = (value: unknown): object =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
