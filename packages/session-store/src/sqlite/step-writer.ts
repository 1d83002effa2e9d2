import type { Database, Statement } from "better-sqlite3";
import { parseMeta, withMeta } from "../meta-json.ts";
import type { StepAmendment, StepWritten } from "../store.ts";
import { isContentRefusal, RefusedStepError } from "./sqlite-failure.ts";
import { type EncodedStep, PayloadReader, type StepBatch } from "./step-batch.ts";
import type { StepValues, WriterStatements } from "./writer-statements.ts";

/** A step that was not stored whole under its own number. */
export type StepException = readonly [
  index: number,
  step_id: number,
  stored: StepWritten["stored"],
];

type Stored = Pick<StepWritten, "step_id" | "stored">;

/** Members of `meta_json` that others than the gateway write: an amendment keeps them. */
const keptMembers = ["renumbered_from", "capture_error", "eval"] as const;

/** Text longer than this may itself be what was refused. */
const keptMetaLength = 1024 * 1024;

/** Writes steps inside a transaction that the caller has begun. */
export class StepWriter {
  readonly #insert: Statement<StepValues>;
  readonly #find: Statement<[request_id: string], { step_id: number; meta_json: string }>;
  readonly #largest: Statement<[session_id: string, model: string], { step_id: number | null }>;
  readonly #amend: Statement<[status_code: number, meta_json: string, request_id: string]>;

  constructor(database: Database, statements: WriterStatements) {
    this.#insert = database.prepare(statements.insertStep);
    this.#find = database.prepare(statements.findStep);
    this.#largest = database.prepare(statements.largestStep);
    this.#amend = database.prepare(statements.amendStep);
  }

  /** @throws RefusedStepError a step is refused even without its payload */
  write(batch: StepBatch): readonly StepException[] {
    const exceptions: StepException[] = [];
    const payloads = new PayloadReader(batch.payloads);
    batch.steps.forEach((step, index) => {
      const { step_id, stored } = this.#write(toValues(step, payloads));
      if (step_id !== step[3] || stored !== "whole") exceptions.push([index, step_id, stored]);
    });
    return exceptions;
  }

  amend({ request_id, status_code, meta_json }: StepAmendment): void {
    const stored = this.#find.get(request_id);
    if (stored === undefined) return;
    const before = parseMeta(stored.meta_json) ?? {};
    const after = parseMeta(meta_json) ?? {};
    const kept = keptMembers.filter((key) => key in before && !(key in after));
    const members = Object.fromEntries(kept.map((key) => [key, before[key]]));
    this.#amend.run(
      status_code,
      kept.length === 0 ? meta_json : withMeta(meta_json, members),
      request_id,
    );
  }

  /** A statement that fails undoes itself alone: the rest of the transaction stands. */
  #write(values: StepValues): Stored {
    try {
      return this.#insertStep(values, "whole");
    } catch (error) {
      if (!isContentRefusal(error)) throw error;
      return this.#writeWithoutPayload(values, error);
    }
  }

  #writeWithoutPayload(values: StepValues, refusal: Error): Stored {
    const meta_json = values[9].length > keptMetaLength ? "{}" : values[9];
    const capture_error = `the database refused the payload: ${refusal.message}`;
    const bare: StepValues = [...values];
    bare.splice(9, 4, withMeta(meta_json, { capture_error }), null, null, null);
    try {
      return this.#insertStep(bare, "without_payload");
    } catch (error) {
      if (!isContentRefusal(error)) throw error;
      const message = `the database refuses step ${values[0]} even without its payload: ${error.message}`;
      throw new RefusedStepError(message, { cause: error });
    }
  }

  #insertStep(values: StepValues, stored: Stored["stored"]): Stored {
    const [request_id, session_id, model, step_id] = values;
    if (this.#insert.run(...values).changes === 1) return { step_id, stored };

    const existing = this.#find.get(request_id);
    if (existing !== undefined) {
      const isBare = parseMeta(existing.meta_json)?.capture_error !== undefined;
      return { step_id: existing.step_id, stored: isBare ? "without_payload" : "whole" };
    }
    const free = (this.#largest.get(session_id, model)?.step_id ?? 0) + 1;
    const renumbered: StepValues = [...values];
    renumbered[3] = free;
    renumbered[9] = withMeta(values[9], { renumbered_from: step_id });
    if (this.#insert.run(...renumbered).changes === 1) return { step_id: free, stored };
    throw new RefusedStepError(`the database ignores step ${request_id}: is there a trigger?`);
  }
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
  ];
}
