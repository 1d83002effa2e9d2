import { type QueryRunner, statement } from "@proj/database";
import { ContentRefusedError, inTransaction } from "@proj/database/postgres";
import { withMeta } from "../meta-json.ts";
import { RefusedStepError } from "../refused-step-error.ts";
import {
  amendedMeta,
  isWithoutPayload,
  metaWithoutHistory,
  metaWithoutPayload,
} from "../step-meta.ts";
import { freeNumber, type StepNumbers } from "../step-numbers.ts";
import type { SharedHistory, StepAmendment, StepRow, StepWritten } from "../store.ts";
import { type FoldedRows, foldRows } from "./fold-rows.ts";
import type { GatewayMark } from "./gateway-mark.ts";
import { insertRow, insertRows, type OwnedRow } from "./insert-steps.ts";
import type { SessionOwners } from "./session-owners.ts";

interface StoredStepRow {
  readonly id: number;
  readonly step_id: number;
  readonly meta_json: string;
}

/** How often to renumber: another program may take numbers of the same session at the same time, but not forever. */
const renumberings = 10;

const findStored = statement<StoredStepRow>(
  "select id, step_id, meta_json from stored_steps where request_id = $1",
);
const amendStep = statement(
  "update stored_steps set status_code = $1, meta_json = $2, response = coalesce($4, response) where request_id = $3",
);
const forgetAnswer = statement(
  "delete from step_values where row_id = $1 and payload = 'response'",
);
/** For a session that still belongs to the gateway. */
const findNumbers =
  statement<StepNumbers>(`select (select min(step_id) from stored_steps where session_id = $1 and model = $2) as smallest,
    (select max(step_id) from stored_steps where session_id = $1 and model = $2) as largest
    from session_owners where session_id = $1 and epoch = $3 and gateway_id = $4`);
const findBase = statement("select 1 from stored_steps where id = $1 and request_id = $2");
const savepoint = statement("savepoint step");
const rollbackToSavepoint = statement("rollback to savepoint step");

/** Writes steps: the whole batch in one statement, or row by row when one is rejected. */
export class StepWriter {
  readonly #owners: SessionOwners;
  readonly #mark: GatewayMark;
  readonly #largeValueBytes: number;

  constructor(owners: SessionOwners, mark: GatewayMark, largeValueBytes: number) {
    this.#largeValueBytes = largeValueBytes;
    this.#owners = owners;
    this.#mark = mark;
  }

  /** @throws RefusedStepError a step is refused even without its payload; WentBackError */
  async write(
    runner: QueryRunner<unknown>,
    steps: readonly StepRow[],
  ): Promise<readonly StepWritten[]> {
    const rows = await this.#owned(runner, steps);
    const ids = await this.#insertAll(runner, rows);
    if (ids.size > 0) {
      return rows.map(({ request_id, step_id }) => {
        const id = ids.get(request_id) ?? null;
        return { request_id, id, step_id, stored: "whole" };
      });
    }
    let mark = 0;
    const written = await inTransaction(runner, async () => {
      mark = await this.#mark.raise(runner);
      const written: StepWritten[] = [];
      for (const row of rows) written.push(await this.#writeSingly(runner, row));
      return written;
    });
    this.#mark.acknowledge(mark);
    return written;
  }

  async amend(
    runner: QueryRunner<unknown>,
    { request_id, status_code, meta_json, answer = null }: StepAmendment,
  ): Promise<void> {
    const stored = await findStep(runner, request_id);
    if (stored === undefined) return;
    if (answer !== null) await runner.run(forgetAnswer, [stored.id]);
    const amended = amendedMeta(stored.meta_json, meta_json);
    await runner.run(amendStep, [status_code, amended, request_id, answer]);
  }

  /** Binds sessions that could not be bound when their steps were taken. */
  async #owned(
    runner: QueryRunner<unknown>,
    steps: readonly StepRow[],
  ): Promise<readonly OwnedRow[]> {
    const unbound = steps.filter(({ epoch }) => epoch === null);
    const ids = unbound.map(({ session_id }) => session_id);
    const bindings = ids.length === 0 ? null : await this.#owners.bindAll(runner, ids);
    return steps.map((step) => ({
      ...step,
      epoch: step.epoch ?? bindings?.get(step.session_id)?.epoch ?? 0,
    }));
  }

  /** The rows' ids by `request_id`. Empty if any row was rejected: then none was inserted. */
  async #insertAll(
    runner: QueryRunner<unknown>,
    rows: readonly OwnedRow[],
  ): Promise<ReadonlyMap<string, number>> {
    try {
      const inserted = await insertRows(runner, this.#folded(rows), this.#mark);
      for (const { mark } of inserted) this.#mark.acknowledge(mark);
      return new Map(inserted.map(({ request_id, id }) => [request_id, id]));
    } catch (error) {
      if (error instanceof ContentRefusedError) return new Map();
      throw error;
    }
  }

  #folded(rows: readonly OwnedRow[]): FoldedRows {
    return foldRows(rows, this.#largeValueBytes);
  }

  async #writeSingly(runner: QueryRunner<unknown>, row: OwnedRow): Promise<StepWritten> {
    const { request_id, history } = row;
    const existing = await findStep(runner, request_id);
    if (existing !== undefined) {
      const stored = isWithoutPayload(existing.meta_json) ? "without_payload" : "whole";
      return { request_id, id: existing.id, step_id: existing.step_id, stored };
    }
    if (history !== null && !(await hasBase(runner, history))) {
      const meta_json = metaWithoutHistory(row.meta_json);
      const alone = { ...row, messages: null, history: null, meta_json };
      return reduced(await this.#writeSingly(runner, alone));
    }
    await runner.run(savepoint);
    try {
      return { request_id, ...(await this.#insertNumbered(runner, row)) };
    } catch (error) {
      if (!(error instanceof ContentRefusedError)) throw error;
      await runner.run(rollbackToSavepoint);
      return this.#writeWithoutPayload(runner, row, error);
    }
  }

  async #writeWithoutPayload(
    runner: QueryRunner<unknown>,
    row: OwnedRow,
    refusal: Error,
  ): Promise<StepWritten> {
    const { request_id } = row;
    const meta_json = metaWithoutPayload(row.meta_json, refusal);
    const payload = { request: null, response: null, messages: null, history: null };
    try {
      const bare = { ...row, ...payload, meta_json };
      return reduced({ request_id, ...(await this.#insertNumbered(runner, bare)) });
    } catch (error) {
      if (!(error instanceof ContentRefusedError)) throw error;
      throw RefusedStepError.evenWithoutPayload(request_id, error);
    }
  }

  /** Uses the step's own number or the next free one, unless the session has moved. */
  async #insertNumbered(
    runner: QueryRunner<unknown>,
    row: OwnedRow,
  ): Promise<Omit<StepWritten, "request_id">> {
    const { session_id, model, epoch } = row;
    const { gateway_id } = this.#mark;
    let step = row;
    for (let attempt = 0; attempt < renumberings; attempt += 1) {
      const id = await insertRow(runner, this.#folded([step]), this.#mark);
      if (id !== null) return { id, step_id: step.step_id, stored: "whole" };
      const values = [session_id, model, epoch, gateway_id];
      const [owner] = (await runner.run(findNumbers, values)).rows;
      if (owner === undefined) return { id: null, step_id: row.step_id, stored: "moved" };
      const meta_json = withMeta(row.meta_json, { renumbered_from: row.step_id });
      step = { ...row, step_id: freeNumber(step.step_id, owner), meta_json };
    }
    throw new RefusedStepError(`the database ignores step ${row.request_id}: is there a trigger?`);
  }
}

/** For a row that lacks something of its payload. */
const reduced = (written: StepWritten): StepWritten =>
  written.stored === "whole" ? { ...written, stored: "without_payload" } : written;

async function hasBase(
  runner: QueryRunner<unknown>,
  { messages_base, base_request_id }: SharedHistory,
): Promise<boolean> {
  return (await runner.run(findBase, [messages_base, base_request_id])).rows.length > 0;
}

async function findStep(
  runner: QueryRunner<unknown>,
  request_id: string,
): Promise<StoredStepRow | undefined> {
  return (await runner.run(findStored, [request_id])).rows[0];
}
