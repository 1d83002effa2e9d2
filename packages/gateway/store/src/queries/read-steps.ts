import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../dialect.ts";
import type { StepPage, StepQuery, StoredStep } from "../store.ts";
import { endOfPage, pageLimit, type RowSize } from "./page.ts";
import { payloadBytes } from "./payload-bytes.ts";
import { WholeHistories } from "./whole-histories.ts";

const after = ({ db }: StoreSource) =>
  db
    .selectFrom("unfolded_steps")
    .where("session_id", "=", parameter<string>("session_id"))
    .where("id", ">", parameter<number>("after"))
    .orderBy("id");
const afterOfModel = (source: StoreSource) =>
  after(source).where("model", "=", parameter<string>("model"));

const ofRequest = (source: StoreSource) =>
  after(source).where("request_id", "=", parameter<string>("request_id"));

const ofSession = pageQueries(after);
const ofModel = pageQueries(afterOfModel);
const one = pageQueries(ofRequest);

export async function readSteps(
  runner: StoreRunner,
  { session_id, model, request_id, after = 0, limit }: StepQuery,
): Promise<StepPage> {
  if (request_id !== undefined) return readPage(runner, one, { session_id, request_id, after }, 1);
  const rows = pageLimit(limit);
  return model === undefined
    ? readPage(runner, ofSession, { session_id, after }, rows)
    : readPage(runner, ofModel, { session_id, after, model }, rows);
}

async function readPage(
  runner: StoreRunner,
  { readSizes, readRows }: ReturnType<typeof pageQueries>,
  from: Readonly<Record<string, string | number>>,
  limit: number,
): Promise<StepPage> {
  const sizes = (await runner.run(readSizes, { ...from, limit: limit + 1 })).rows.map(sizeOf);
  const last = endOfPage(sizes, limit);
  if (last === undefined) return { steps: [], next_after: null };
  const histories = new WholeHistories(runner, String(from.session_id));
  const steps: StoredStep[] = [];
  for (const row of (await runner.run(readRows, { ...from, last: last.id })).rows) {
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

function pageQueries(after: typeof afterOfModel) {
  return {
    readSizes: query((source: StoreSource) =>
      source.db
        .selectFrom("stored_steps")
        // Found and sorted in the index alone, before any row is read.
        .where("id", "in", after(source).select("id").limit(parameter<number>("limit")))
        .orderBy("id")
        .select([
          "id",
          "messages_shared",
          payloadBytes("request").as("request"),
          payloadBytes("response").as("response"),
          payloadBytes("messages").as("messages"),
        ]),
    ),
    readRows: query((source: StoreSource) =>
      after(source)
        .where("id", "<=", parameter<number>("last"))
        .select(["id", "request_id", "session_id", "model", "step_id", "status_code"])
        .select(["env_name", "job_id", "group_id", "step_reward", "reward"])
        .select(["is_trainable", "is_terminal", "is_truncated", "is_session_completed"])
        .select(["created_at", "messages_base", "messages_shared", "meta_json"])
        .select(["request", "response"])
        .select(source.dialect.bytesOf("messages").as("messages")),
    ),
  };
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

/** The size of the whole row, except for a `request` that belongs to another row. */
function sizeOf({ id, request, response, messages, messages_shared }: PayloadSizes): StepSize {
  const history = (messages_shared ?? 0) + (messages ?? 0);
  return { id, bytes: (request ?? 0) + (response ?? 0) + history };
}
