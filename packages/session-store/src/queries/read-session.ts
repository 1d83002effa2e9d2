import { type InferResult, sql } from "kysely";
import type { StoredModel, StoredSession } from "../store.ts";
import { type PreparedQuery, parameter, type QuerySource } from "./prepared-query.ts";
import { environmentReader } from "./read-environment.ts";

/** Few enough that one statement's read transaction stays well under a second. */
const rowsPerRead = 2000;

type Counts = { -readonly [Key in keyof StoredModel]: StoredModel[Key] };

export function sessionReader(source: QuerySource): (session_id: string) => Promise<StoredSession> {
  const findStep = source.prepare(
    source.db
      .selectFrom("stored_steps")
      .select("id")
      .where("session_id", "=", parameter<string>("session_id"))
      .limit(1),
  );
  const countRows = source.prepare(rowCounts(source));
  const readEnvironment = environmentReader(source);
  return async (session_id) => {
    // Most sessions are new. Sorting and grouping no rows costs ten times what finding none does.
    const isNew = (await findStep({ session_id })).length === 0;
    const models = isNew ? [] : await countModels(countRows, session_id);
    return { models, environment: await readEnvironment(session_id) };
  };
}

async function countModels(
  countRows: PreparedQuery<RowCounts>,
  session_id: string,
): Promise<StoredModel[]> {
  const models = new Map<string, Counts>();
  let after = 0;
  for (let rows = rowsPerRead; rows === rowsPerRead; ) {
    rows = 0;
    for (const part of await countRows({ session_id, after })) {
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
  return [...models.values()];
}

type RowCounts = InferResult<ReturnType<typeof rowCounts>>[number];

/** The session's next rows, counted by model. */
function rowCounts({ db, dialect }: QuerySource) {
  return db
    .selectFrom((from) =>
      from
        .selectFrom("stored_steps")
        .select(["id", "model", "step_id", "status_code"])
        .select(dialect.metaNumber("prompt_tokens").as("prompt_tokens"))
        .select(dialect.metaNumber("completion_tokens").as("completion_tokens"))
        .where("session_id", "=", parameter<string>("session_id"))
        .where("id", ">", parameter<number>("after"))
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
    .groupBy("model");
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
