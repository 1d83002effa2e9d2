import type { StepPage, StepQuery, StoredStep } from "../store.ts";
import { endOfPage, pageLimit, type RowSize } from "./page.ts";
import { parameter, type QuerySource, type QueryValues } from "./prepared-query.ts";
import { prepareChain, WholeHistories } from "./whole-histories.ts";

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
  { readSizes, readRows, readChain }: PageQueries,
  from: QueryValues,
  limit: number,
): Promise<StepPage> {
  const sizes = (await readSizes({ ...from, limit: limit + 1 })).map(sizeOf);
  const last = endOfPage(sizes, limit);
  if (last === undefined) return { steps: [], next_after: null };
  const histories = new WholeHistories(readChain);
  const steps: StoredStep[] = [];
  for (const row of await readRows({ ...from, last: last.id })) {
    const { messages_base: _base, messages_shared: _shared, ...columns } = row;
    const { request, messages } = await histories.of(row);
    steps.push({
      ...columns,
      request,
      messages: messages?.toString() ?? null,
      is_trainable: Boolean(row.is_trainable),
      is_terminal: Boolean(row.is_terminal),
      is_truncated: Boolean(row.is_truncated),
      is_session_completed: Boolean(row.is_session_completed),
    });
  }
  return { steps, next_after: last === sizes.at(-1) ? null : last.id };
}

type PageQueries = ReturnType<typeof preparePages>;

function preparePages(source: QuerySource, isOfModel: boolean) {
  const { db, dialect, prepare } = source;
  const allAfter = db
    .selectFrom("stored_steps")
    .where("session_id", "=", parameter<string>("session_id"))
    .where("id", ">", parameter<number>("after"))
    .orderBy("id");
  const after = isOfModel ? allAfter.where("model", "=", parameter<string>("model")) : allAfter;
  // The size of a payload is known to a database without reading the payload.
  const readSizes = prepare(
    db
      .selectFrom("stored_steps")
      // Found and sorted in an index alone, before any row is looked at.
      .where("id", "in", after.select("id").limit(parameter<number>("limit")))
      .orderBy("id")
      .select(({ fn }) => [
        "id",
        "messages_shared",
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
      .select([
        "created_at",
        "messages_base",
        "messages_shared",
        "meta_json",
        "request",
        "response",
      ])
      .select(dialect.bytesOf("messages").as("messages")),
  );
  return { readSizes, readRows, readChain: prepareChain(source) };
}

interface StepSize extends RowSize {
  readonly id: number;
}

interface PayloadSizes {
  readonly id: number;
  readonly messages_shared: number | null;
  readonly request: number | null;
  readonly response: number | null;
  readonly messages: number | null;
}

/** Of the row when it is whole, but for a `request` that is another one's. */
function sizeOf({ id, request, response, messages, messages_shared }: PayloadSizes): StepSize {
  const history = (messages_shared ?? 0) + (messages ?? 0);
  return { id, bytes: (request ?? 0) + (response ?? 0) + history };
}
