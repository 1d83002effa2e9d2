import type { StepPage, StepQuery, StoredStep } from "../store.ts";
import { endOfPage, pageLimit, type RowSize } from "./page.ts";
import { parameter, type QuerySource, type QueryValues } from "./prepared-query.ts";

export function stepsReader(source: QuerySource): (query: StepQuery) => Promise<StepPage> {
  const ofSession = preparePages(source, false);
  const ofModel = preparePages(source, true);
  return ({ session_id, model, after = 0, limit }) => {
    const rows = pageLimit(limit);
    return model === undefined
      ? readPage(ofSession, { session_id, after }, rows)
      : readPage(ofModel, { session_id, after, model }, rows);
  };
}

async function readPage(
  { readSizes, readRows }: PageQueries,
  from: QueryValues,
  limit: number,
): Promise<StepPage> {
  const sizes = (await readSizes({ ...from, limit: limit + 1 })).map(sizeOf);
  const last = endOfPage(sizes, limit);
  if (last === undefined) return { steps: [], next_after: null };
  const rows = await readRows({ ...from, last: last.id });
  const steps = rows.map(
    (row): StoredStep => ({
      ...row,
      is_trainable: Boolean(row.is_trainable),
      is_terminal: Boolean(row.is_terminal),
      is_truncated: Boolean(row.is_truncated),
      is_session_completed: Boolean(row.is_session_completed),
    }),
  );
  return { steps, next_after: last === sizes.at(-1) ? null : last.id };
}

type PageQueries = ReturnType<typeof preparePages>;

function preparePages({ db, prepare }: QuerySource, isOfModel: boolean) {
  const allAfter = db
    .selectFrom("session_steps")
    .where("session_id", "=", parameter<string>("session_id"))
    .where("id", ">", parameter<number>("after"))
    .orderBy("id");
  const after = isOfModel ? allAfter.where("model", "=", parameter<string>("model")) : allAfter;
  // The size of a payload is known to a database without reading the payload.
  const readSizes = prepare(
    db
      .selectFrom("session_steps")
      // Found and sorted in an index alone, before any row is looked at.
      .where("id", "in", after.select("id").limit(parameter<number>("limit")))
      .orderBy("id")
      .select(({ fn }) => [
        "id",
        fn<number | null>("octet_length", ["request"]).as("request"),
        fn<number | null>("octet_length", ["response"]).as("response"),
        fn<number | null>("octet_length", ["messages"]).as("messages"),
      ]),
  );
  const readRows = prepare(
    after
      .where("id", "<=", parameter<number>("last"))
      .select(["id", "request_id", "session_id", "model", "step_id", "status_code"])
      .select(["env_name", "job_id", "group_id", "step_reward", "reward"])
      .select(["is_trainable", "is_terminal", "is_truncated", "is_session_completed"])
      .select(["created_at", "meta_json", "request", "response", "messages"]),
  );
  return { readSizes, readRows };
}

interface StepSize extends RowSize {
  readonly id: number;
}

interface PayloadSizes {
  readonly id: number;
  readonly request: number | null;
  readonly response: number | null;
  readonly messages: number | null;
}

function sizeOf({ id, request, response, messages }: PayloadSizes): StepSize {
  return { id, bytes: (request ?? 0) + (response ?? 0) + (messages ?? 0) };
}
