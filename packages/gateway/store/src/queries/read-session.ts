import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../dialect.ts";
import type { StoredModel, StoredSession } from "../store.ts";
import { readFork } from "./forks/read-fork.ts";
import { sumOf } from "./meta-sum.ts";
import { readEnvironment } from "./read-environment.ts";

/** Few enough that one statement's read transaction stays well under a second. */
const rowsPerRead = 2000;

type Counts = { -readonly [Key in keyof StoredModel]: StoredModel[Key] };

/** Finds out in one round trip what exists of a session. */
const find = query(({ db }: StoreSource) =>
  db.selectNoFrom((from) => [
    from
      .selectFrom("stored_steps")
      .select("id")
      .where("session_id", "=", parameter<string>("session_id"))
      .limit(1)
      .as("step"),
    from
      .selectFrom("session_forks")
      .select("mode")
      .where("session_id", "=", parameter<string>("session_id"))
      .as("fork"),
  ]),
);

/** The session's next rows, counted by model. */
const countRows = query(({ db, dialect }: StoreSource) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("stored_steps")
        .select(["id", "model", "step_id", "status_code"])
        .select(dialect.metaNumber("prompt_tokens").as("prompt_tokens"))
        .select(dialect.metaNumber("completion_tokens").as("completion_tokens"))
        .select(dialect.metaNumber("cost_nano_usd").as("cost_nano_usd"))
        .select(dialect.metaNumber("budget_returned").as("budget_returned"))
        .select(dialect.metaNumber("unpriced").as("unpriced"))
        .select(dialect.metaNumber("held_tokens").as("held_tokens"))
        .select(dialect.metaNumber("held_nano_usd").as("held_nano_usd"))
        .select(dialect.metaNumber("replayed_from.step_id").as("replayed_from"))
        .where("session_id", "=", parameter<string>("session_id"))
        .where("id", ">", parameter<number>("after"))
        .orderBy("id")
        .limit(rowsPerRead)
        .as("step"),
    )
    .select(({ fn }) => [
      "model",
      fn.countAll().as("rows"),
      fn.max("id").as("last_id"),
      fn.max("step_id").as("steps"),
      fn.countAll().filterWhere("budget_returned", "is not", null).as("returned_steps"),
      fn.countAll().filterWhere("replayed_from", "is not", null).as("replayed_steps"),
      fn.countAll().filterWhere("unpriced", "is not", null).as("unpriced_steps"),
      sumOf("held_tokens").as("held_tokens"),
      sumOf("held_nano_usd").as("held_nano_usd"),
      fn.min("step_id").as("first"),
      fn
        .countAll()
        .filterWhere("status_code", "=", 200)
        .filterWhere("step_id", ">", 0)
        .as("successes"),
      fn
        .max("step_id")
        .filterWhere("status_code", "=", 200)
        .filterWhere("step_id", ">", 0)
        .as("latest_success_step"),
      sumOf("prompt_tokens").as("prompt_tokens"),
      sumOf("completion_tokens").as("completion_tokens"),
      sumOf("cost_nano_usd").as("cost_nano_usd"),
    ])
    .groupBy("model"),
);

export async function readSession(runner: StoreRunner, session_id: string): Promise<StoredSession> {
  // Most sessions are new, and sorting and grouping no rows costs ten times as much as finding none.
  const [found] = (await runner.run(find, { session_id })).rows;
  const models = found?.step == null ? [] : await countModels(runner, session_id);
  const fork = found?.fork == null ? null : await readFork(runner, session_id);
  return { models, environment: await readEnvironment(runner, session_id), fork };
}

async function countModels(runner: StoreRunner, session_id: string): Promise<StoredModel[]> {
  const models = new Map<string, Counts>();
  let after = 0;
  for (let rows = rowsPerRead; rows === rowsPerRead; ) {
    rows = 0;
    for (const part of (await runner.run(countRows, { session_id, after })).rows) {
      rows += Number(part.rows);
      after = Math.max(after, Number(part.last_id));
      const counts = models.get(part.model) ?? emptyCounts(part.model);
      models.set(part.model, counts);
      counts.steps = Math.max(counts.steps, part.steps);
      counts.returned_steps += Number(part.returned_steps);
      counts.rows_besides_steps = Math.max(counts.rows_besides_steps, -part.first);
      counts.successes += Number(part.successes);
      counts.replayed_steps += Number(part.replayed_steps);
      if (Number(part.unpriced_steps) > 0)
        counts.unpriced = {
          steps: (counts.unpriced?.steps ?? 0) + Number(part.unpriced_steps),
          tokens: (counts.unpriced?.tokens ?? 0) + (part.held_tokens ?? 0),
          nano_usd: (counts.unpriced?.nano_usd ?? 0) + (part.held_nano_usd ?? 0),
        };
      const success = Math.max(counts.latest_success_step ?? 0, part.latest_success_step ?? 0);
      counts.latest_success_step = success === 0 ? null : success;
      counts.prompt_tokens += part.prompt_tokens ?? 0;
      counts.completion_tokens += part.completion_tokens ?? 0;
      counts.cost_nano_usd += part.cost_nano_usd ?? 0;
    }
  }
  return [...models.values()];
}

function emptyCounts(model: string): Counts {
  return {
    model,
    steps: 0,
    returned_steps: 0,
    rows_besides_steps: 0,
    successes: 0,
    replayed_steps: 0,
    latest_success_step: null,
    prompt_tokens: 0,
    completion_tokens: 0,
    cost_nano_usd: 0,
  };
}
