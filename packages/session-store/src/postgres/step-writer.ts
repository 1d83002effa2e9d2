import { withMeta } from "../meta-json.ts";
import { RefusedStepError } from "../refused-step-error.ts";
import { amendedMeta, isWithoutPayload, metaWithoutPayload } from "../step-meta.ts";
import type { StepAmendment, StepRow, StepWritten } from "../store.ts";
import type { QueryRows } from "./connection-pool.ts";
import { type InsertedRow, insertionOf, insertionOfAll, type OwnedRow } from "./insert-steps.ts";
import { ContentRefusedError } from "./postgres-failure.ts";
import { inTransaction } from "./run-transaction.ts";
import type { SessionOwners } from "./session-owners.ts";

interface StoredStepRow {
  readonly id: number;
  readonly step_id: number;
  readonly meta_json: string;
}

/** Another program may take numbers of the same session at the same time; not for ever. */
const renumberings = 10;

/** Writes steps: the whole batch at once where nothing is the matter with any of them. */
export class StepWriter {
  readonly #owners: SessionOwners;

  constructor(owners: SessionOwners) {
    this.#owners = owners;
  }

  /** @throws RefusedStepError a step is refused even without its payload */
  async write(query: QueryRows, steps: readonly StepRow[]): Promise<readonly StepWritten[]> {
    const rows = await this.#owned(query, steps);
    const ids = await insertAll(query, rows);
    if (ids.size > 0) {
      return rows.map(({ request_id, step_id }) => {
        const id = ids.get(request_id) ?? null;
        return { request_id, id, step_id, stored: "whole" };
      });
    }
    return inTransaction(query, async () => {
      const written: StepWritten[] = [];
      for (const row of rows) written.push(await writeSingly(query, row));
      return written;
    });
  }

  async amend(
    query: QueryRows,
    { request_id, status_code, meta_json }: StepAmendment,
  ): Promise<void> {
    const [stored] = await findStep(query, request_id);
    if (stored === undefined) return;
    await query({
      sql: "update stored_steps set status_code = $1, meta_json = $2 where request_id = $3",
      values: [status_code, amendedMeta(stored.meta_json, meta_json), request_id],
    });
  }

  /** Sessions that could not be bound when their steps were taken are bound now. */
  async #owned(query: QueryRows, steps: readonly StepRow[]): Promise<readonly OwnedRow[]> {
    const unbound = steps.filter(({ epoch }) => epoch === null);
    const ids = unbound.map(({ session_id }) => session_id);
    const bindings = ids.length === 0 ? null : await this.#owners.bindAll(query, ids);
    return steps.map((step) => ({
      ...step,
      epoch: step.epoch ?? bindings?.get(step.session_id)?.epoch ?? 0,
    }));
  }
}

/** The rows' ids by their `request_id`. None where something is the matter with some row: then none went in. */
async function insertAll(
  query: QueryRows,
  rows: readonly OwnedRow[],
): Promise<ReadonlyMap<string, number>> {
  try {
    const inserted = await query<InsertedRow>(insertionOfAll(rows));
    return new Map(inserted.map(({ request_id, id }) => [request_id, id]));
  } catch (error) {
    if (error instanceof ContentRefusedError) return new Map();
    throw error;
  }
}

async function writeSingly(query: QueryRows, row: OwnedRow): Promise<StepWritten> {
  const { request_id } = row;
  const [existing] = await findStep(query, request_id);
  if (existing !== undefined) {
    const stored = isWithoutPayload(existing.meta_json) ? "without_payload" : "whole";
    return { request_id, id: existing.id, step_id: existing.step_id, stored };
  }
  await query({ sql: "savepoint step", values: [] });
  try {
    return { request_id, ...(await insertNumbered(query, row)) };
  } catch (error) {
    if (!(error instanceof ContentRefusedError)) throw error;
    await query({ sql: "rollback to savepoint step", values: [] });
    return writeWithoutPayload(query, row, error);
  }
}

async function writeWithoutPayload(
  query: QueryRows,
  row: OwnedRow,
  refusal: Error,
): Promise<StepWritten> {
  const meta_json = metaWithoutPayload(row.meta_json, refusal);
  const payload = { request: null, response: null, messages: null, history: null };
  try {
    const { id, step_id, stored } = await insertNumbered(query, { ...row, ...payload, meta_json });
    const { request_id } = row;
    return { request_id, id, step_id, stored: stored === "whole" ? "without_payload" : stored };
  } catch (error) {
    if (!(error instanceof ContentRefusedError)) throw error;
    throw RefusedStepError.evenWithoutPayload(row.request_id, error);
  }
}

/** Under its own number or the next free one, unless the session has moved. */
async function insertNumbered(
  query: QueryRows,
  row: OwnedRow,
): Promise<Omit<StepWritten, "request_id">> {
  let step = row;
  for (let attempt = 0; attempt < renumberings; attempt += 1) {
    const [inserted] = await query<Pick<InsertedRow, "id">>(insertionOf(step));
    if (inserted !== undefined) return { id: inserted.id, step_id: step.step_id, stored: "whole" };
    const { session_id, model, epoch } = row;
    const [owner] = await query<{ readonly step_id: number | null }>({
      sql: `select (select max(step_id) from stored_steps where session_id = $1 and model = $2) as step_id
        from session_owners where session_id = $1 and epoch = $3`,
      values: [session_id, model, epoch],
    });
    if (owner === undefined) return { id: null, step_id: row.step_id, stored: "moved" };
    const meta_json = withMeta(row.meta_json, { renumbered_from: row.step_id });
    step = { ...row, step_id: (owner.step_id ?? 0) + 1, meta_json };
  }
  throw new RefusedStepError(`the database ignores step ${row.request_id}: is there a trigger?`);
}

function findStep(query: QueryRows, request_id: string): Promise<readonly StoredStepRow[]> {
  return query<StoredStepRow>({
    sql: "select id, step_id, meta_json from stored_steps where request_id = $1",
    values: [request_id],
  });
}
