import type { Kysely } from "kysely";
import type { StoreTables } from "../schema.ts";
import type { StepPage, StepQuery, StoredStep } from "../store.ts";

const defaultLimit = 100;
/** Whatever is asked for, one page is read in one short read transaction. */
const largestLimit = 1000;
const pageBytes = 8 * 1024 * 1024;

/** At least one row where there is one, however large. */
export async function readSteps(db: Kysely<StoreTables>, query: StepQuery): Promise<StepPage> {
  const after = query.after ?? 0;
  const limit = Math.min(Math.max(Math.trunc(query.limit ?? defaultLimit), 1), largestLimit);
  const sizes = await readSizes(db, query, after, limit + 1);
  const last = endOfPage(sizes, limit);
  if (last === undefined) return { steps: [], next_after: null };
  const rows = await stepsAfter(db, query, after)
    .where("id", "<=", last.id)
    .select(["id", "request_id", "session_id", "model", "step_id", "status_code"])
    .select(["env_name", "job_id", "group_id", "step_reward", "reward"])
    .select(["is_trainable", "is_terminal", "is_truncated", "is_session_completed"])
    .select(["created_at", "meta_json", "request", "response", "messages"])
    .execute();
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

/** The size of each row's payload, which a database knows without reading the payload. */
async function readSizes(
  db: Kysely<StoreTables>,
  query: StepQuery,
  after: number,
  limit: number,
): Promise<RowSize[]> {
  const rows = await db
    .selectFrom("session_steps")
    // Found and sorted in an index alone, before any row is looked at.
    .where("id", "in", stepsAfter(db, query, after).select("id").limit(limit))
    .orderBy("id")
    .select(({ fn }) => [
      "id",
      fn<number | null>("octet_length", ["request"]).as("request"),
      fn<number | null>("octet_length", ["response"]).as("response"),
      fn<number | null>("octet_length", ["messages"]).as("messages"),
    ])
    .execute();
  return rows.map(({ id, request, response, messages }) => ({
    id,
    bytes: (request ?? 0) + (response ?? 0) + (messages ?? 0),
  }));
}

interface RowSize {
  readonly id: number;
  readonly bytes: number;
}

function endOfPage(sizes: readonly RowSize[], limit: number): RowSize | undefined {
  let bytes = 0;
  let last: RowSize | undefined;
  for (const size of sizes.slice(0, limit)) {
    bytes += size.bytes;
    if (last !== undefined && bytes > pageBytes) break;
    last = size;
  }
  return last;
}

function stepsAfter(db: Kysely<StoreTables>, { session_id, model }: StepQuery, after: number) {
  const steps = db
    .selectFrom("session_steps")
    .where("session_id", "=", session_id)
    .where("id", ">", after)
    .orderBy("id");
  return model === undefined ? steps : steps.where("model", "=", model);
}
