import { isContentRefusal } from "@proj/database/sqlite";
import type { Database, Statement } from "better-sqlite3";
import { foldPayloads, scopeOf } from "../large-values.ts";
import { withMeta } from "../meta-json.ts";
import { RefusedStepError } from "../refused-step-error.ts";
import {
  amendedMeta,
  isWithoutPayload,
  metaWithoutHistory,
  metaWithoutPayload,
} from "../step-meta.ts";
import { freeNumber, type StepNumbers } from "../step-numbers.ts";
import type { StepAmendment, StepWritten } from "../store.ts";
import { ReopenedFile } from "./reopened-file.ts";
import { type EncodedStep, PayloadReader, type StepBatch } from "./step-batch.ts";
import { ValueWriter } from "./value-writer.ts";
import type { WriterData } from "./writer-calls.ts";
import type { StepValues } from "./writer-statements.ts";

/** A step that was not stored with its payload and its own number. */
export type StepException = readonly [
  index: number,
  step_id: number,
  stored: StepWritten["stored"],
];

export interface StepsWritten {
  /** The rows' ids, in the order of the batch. */
  readonly ids: readonly number[];
  /** Null: there is none. */
  readonly exceptions: readonly StepException[] | null;
}

interface Stored {
  readonly id: number;
  /** False: the row was there before. */
  readonly isNew: boolean;
  readonly step_id: number;
  readonly stored: StepWritten["stored"];
}

interface FoundStep {
  readonly id: number;
  readonly step_id: number;
  readonly meta_json: string;
}

/** Writes steps inside a transaction that the caller has begun. */
export class StepWriter {
  readonly #insert: Statement<StepValues>;
  readonly #find: Statement<[request_id: string], FoundStep>;
  readonly #findBase: Statement<[id: number, request_id: string]>;
  readonly #numbers: Statement<[session_id: string, model: string], StepNumbers>;
  readonly #amend: Statement<
    [status_code: number, meta_json: string, answer: string | null, request_id: string]
  >;
  readonly #values: ValueWriter;
  readonly #largeValueBytes: number;
  /** Null while no row can have been lost. */
  readonly #reopened: ReopenedFile | null;

  constructor(database: Database, { statements, known, after_id, largeValueBytes }: WriterData) {
    this.#insert = database.prepare(statements.insertStep);
    this.#find = database.prepare(statements.findStep);
    this.#findBase = database.prepare(statements.findBase);
    this.#numbers = database.prepare(statements.stepNumbers);
    this.#amend = database.prepare(statements.amendStep);
    this.#values = new ValueWriter(database);
    this.#largeValueBytes = largeValueBytes;
    this.#reopened = known === null ? null : new ReopenedFile(database, after_id);
  }

  /** @throws RefusedStepError a step is refused even without its payload */
  write(batch: StepBatch): StepsWritten {
    const exceptions: StepException[] = [];
    const payloads = new PayloadReader(batch.payloads);
    const ids: number[] = [];
    for (const [index, step] of batch.steps.entries()) {
      const { id, step_id, stored } = this.#writeStep(step, payloads);
      if (step_id !== step[3] || stored !== "whole") exceptions.push([index, step_id, stored]);
      ids.push(this.#reopened === null ? id : this.#reopened.unusedId(id));
    }
    return { ids, exceptions: exceptions.length === 0 ? null : exceptions };
  }

  amend({ request_id, status_code, meta_json, answer = null }: StepAmendment): void {
    const stored = this.#find.get(request_id);
    if (stored === undefined) return;
    if (answer !== null) this.#values.forgetAnswer(stored.id);
    this.#amend.run(status_code, amendedMeta(stored.meta_json, meta_json), answer, request_id);
  }

  /** A row whose base is gone, as in a backup that is older than the base, is stored without its messages. */
  #writeStep(step: EncodedStep, payloads: PayloadReader): Stored {
    const values = toValues(step, payloads);
    const [messages_base, base_request_id] = [step[13], step[15]];
    if (messages_base === null || base_request_id === null) return this.#write(values);
    if (this.#findBase.get(messages_base, base_request_id) !== undefined) {
      return this.#write(values);
    }
    const written = this.#write(withoutHistory(values));
    return written.stored === "whole" ? { ...written, stored: "without_payload" } : written;
  }

  /** A statement that fails undoes only itself; the rest of the transaction remains. */
  #write(values: StepValues): Stored {
    const [request, response, messages] = [values[10], values[11], values[12]];
    const { rest, values: large } = foldPayloads(
      { request, response, messages },
      this.#largeValueBytes,
    );
    const scope = scopeOf({ session_id: values[1], job_id: values[6] });
    const folded: StepValues = [...values];
    folded.splice(10, 3, rest.request, rest.response, rest.messages);
    try {
      this.#values.store(scope, large);
      const stored = this.#insertStep(folded, "whole");
      if (stored.isNew) this.#values.place(stored.id, scope, large);
      return stored;
    } catch (error) {
      if (!isContentRefusal(error)) throw error;
      return this.#writeWithoutPayload(values, error);
    }
  }

  #writeWithoutPayload(values: StepValues, refusal: Error): Stored {
    const bare: StepValues = [...values];
    bare.splice(9, 6, metaWithoutPayload(values[9], refusal), null, null, null, null, null);
    try {
      return this.#insertStep(bare, "without_payload");
    } catch (error) {
      if (!isContentRefusal(error)) throw error;
      throw RefusedStepError.evenWithoutPayload(values[0], error);
    }
  }

  #insertStep(values: StepValues, stored: Stored["stored"]): Stored {
    const [request_id, session_id, model, step_id] = values;
    const inserted = this.#insert.run(...values);
    if (inserted.changes === 1)
      return { id: Number(inserted.lastInsertRowid), isNew: true, step_id, stored };

    const existing = this.#find.get(request_id);
    if (existing !== undefined) {
      const isBare = isWithoutPayload(existing.meta_json);
      const stored = isBare ? "without_payload" : "whole";
      return { id: existing.id, isNew: false, step_id: existing.step_id, stored };
    }
    const free = freeNumber(step_id, this.#numbers.get(session_id, model));
    const renumbered: StepValues = [...values];
    renumbered[3] = free;
    renumbered[9] = withMeta(values[9], { renumbered_from: step_id });
    const late = this.#insert.run(...renumbered);
    if (late.changes === 1) {
      return { id: Number(late.lastInsertRowid), isNew: true, step_id: free, stored };
    }
    throw new RefusedStepError(`the database ignores step ${request_id}: is there a trigger?`);
  }
}

function withoutHistory(values: StepValues): StepValues {
  const alone: StepValues = [...values];
  alone[9] = metaWithoutHistory(values[9]);
  alone.splice(12, 3, null, null, null);
  return alone;
}

function toValues(step: EncodedStep, payloads: PayloadReader): StepValues {
  return [
    step[0],
    step[1],
    step[2],
    step[3],
    step[4],
    step[5],
    step[6],
    step[7],
    step[8],
    step[9],
    payloads.next(step[10]),
    payloads.next(step[11]),
    payloads.next(step[12]),
    step[13],
    step[14],
  ];
}
