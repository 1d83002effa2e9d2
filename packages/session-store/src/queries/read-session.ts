import { type Kysely, sql } from "kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";
import type { StoredModel, StoredSession } from "../store.ts";
import { readEnvironment } from "./read-environment.ts";

/** Few enough that one statement's read transaction stays well under a second. */
const rowsPerRead = 2000;

type Counts = { -readonly [Key in keyof StoredModel]: StoredModel[Key] };

export async function readSession(
  db: Kysely<StoreTables>,
  dialect: StoreDialect,
  session_id: string,
): Promise<StoredSession> {
  const models = new Map<string, Counts>();
  let after = 0;
  for (let rows = rowsPerRead; rows === rowsPerRead; ) {
    rows = 0;
    for (const part of await countRows(db, dialect, session_id, after)) {
      rows += Number(part.rows);
      after = Math.max(after, Number(part.last_id));
      const counts = models.get(part.model) ?? emptyCounts(part.model);
      models.set(part.model, counts);
      counts.steps = Math.max(counts.steps, part.steps);
      counts.successes += Number(part.successes);
      const success = Math.max(counts.latest_success_step ?? 0, part.latest_success_step ?? 0);
      counts.latest_success_step = success === 0 ? null : success;
      counts.prompt_tokens += part.prompt_tokens ?? 0;
      counts.completion_tokens += part.completion_tokens ?? 0;
    }
  }
  return { models: [...models.values()], environment: await readEnvironment(db, session_id) };
}

/** The session's next rows, counted by model. */
function countRows(
  db: Kysely<StoreTables>,
  dialect: StoreDialect,
  session_id: string,
  after: number,
) {
  return db
    .selectFrom((from) =>
      from
        .selectFrom("session_steps")
        .select(["id", "model", "step_id", "status_code"])
        .select(dialect.metaNumber("prompt_tokens").as("prompt_tokens"))
        .select(dialect.metaNumber("completion_tokens").as("completion_tokens"))
        .where("session_id", "=", session_id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(rowsPerRead)
        .as("step"),
    )
    .select(({ fn, ref }) => [
      "model",
      fn.countAll().as("rows"),
      fn.max("id").as("last_id"),
      fn.max("step_id").as("steps"),
      fn.countAll().filterWhere("status_code", "=", 200).as("successes"),
      fn.max("step_id").filterWhere("status_code", "=", 200).as("latest_success_step"),
      // As floating point, because a sum of integers that an upstream made up may overflow, which is an error.
      sql<number | null>`sum(cast(${ref("prompt_tokens")} as double precision))`.as(
        "prompt_tokens",
      ),
      sql<number | null>`sum(cast(${ref("completion_tokens")} as double precision))`.as(
        "completion_tokens",
      ),
    ])
    .groupBy("model")
    .execute();
}

function emptyCounts(model: string): Counts {
  return {
    model,
    steps: 0,
    successes: 0,
    latest_success_step: null,
    prompt_tokens: 0,
    completion_tokens: 0,
  };
}
