import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import type { EnvironmentRow } from "../../environment-row.ts";
import type { SessionSummary } from "../../store-browser.ts";
import { sumOf } from "../meta-sum.ts";
import { readEnvironment } from "../read-environment.ts";
import { asStoredRow, selectRows } from "./read-rows.ts";

/** Errors and tokens are in the rows themselves, so in a long session only the latest rows are counted. */
const countedCalls = 200;

/** Answered by the index by step alone. */
const countModels = query(({ db }: StoreSource) =>
  db
    .selectFrom("stored_steps")
    .where("session_id", "=", parameter<string>("session_id"))
    .select(({ fn }) => [
      "model",
      fn.countAll().as("calls"),
      fn.min("id").as("first_id"),
      fn.max("id").as("last_id"),
    ])
    .groupBy("model")
    .orderBy("model"),
);

const countLatest = query(({ db, dialect }: StoreSource) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("stored_steps")
        .select("status_code")
        .select(dialect.metaNumber("prompt_tokens").as("prompt_tokens"))
        .select(dialect.metaNumber("completion_tokens").as("completion_tokens"))
        .select(dialect.metaNumber("cost_nano_usd").as("cost_nano_usd"))
        .where("session_id", "=", parameter<string>("session_id"))
        .orderBy("id", "desc")
        .limit(countedCalls)
        .as("step"),
    )
    .select(({ fn }) => [
      fn.countAll().as("calls"),
      fn.countAll().filterWhere("status_code", "<>", 200).as("errors"),
      sumOf("prompt_tokens").as("prompt_tokens"),
      sumOf("completion_tokens").as("completion_tokens"),
      sumOf("cost_nano_usd").as("cost_nano_usd"),
    ]),
);

const readFirst = query(({ db }: StoreSource) =>
  db.selectFrom("stored_steps").select("created_at").where("id", "=", parameter<number>("id")),
);

const readLast = query((source: StoreSource) =>
  selectRows(source, true).where("id", "=", parameter<number>("id")),
);

export async function readSummary(
  runner: StoreRunner,
  session_id: string,
): Promise<SessionSummary | null> {
  const models = (await runner.run(countModels, { session_id })).rows;
  const environment = await readEnvironment(runner, session_id);
  if (models.length === 0) return environment === null ? null : withoutCalls(environment);
  const first_id = Math.min(...models.map((model) => Number(model.first_id)));
  const last_id = Math.max(...models.map((model) => Number(model.last_id)));
  const [counts] = (await runner.run(countLatest, { session_id })).rows;
  const [first] = (await runner.run(readFirst, { id: first_id })).rows;
  const [last] = (await runner.run(readLast, { id: last_id })).rows;
  if (counts === undefined || first === undefined || last === undefined) return null;
  return {
    session_id,
    models: models.map(({ model }) => model),
    calls: models.reduce((sum, { calls }) => sum + Number(calls), 0),
    counted_calls: Number(counts.calls),
    errors: Number(counts.errors),
    prompt_tokens: counts.prompt_tokens ?? 0,
    completion_tokens: counts.completion_tokens ?? 0,
    cost_nano_usd: counts.cost_nano_usd ?? 0,
    first_at: first.created_at,
    last_at: last.created_at,
    last_step: asStoredRow(last),
    environment,
  };
}

const withoutCalls = (environment: EnvironmentRow): SessionSummary => ({
  ...{ session_id: environment.session_id, models: [], calls: 0, counted_calls: 0, errors: 0 },
  ...{ prompt_tokens: 0, completion_tokens: 0, cost_nano_usd: 0 },
  first_at: environment.started_at ?? environment.created_at,
  last_at: environment.finished_at ?? environment.started_at ?? environment.created_at,
  last_step: null,
  environment,
});
