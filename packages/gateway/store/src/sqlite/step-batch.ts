import type { StepRow } from "../store.ts";

/** A batch on its way to the writer: one message, with one buffer that is transferred instead of copied. */
export interface StepBatch {
  readonly steps: readonly EncodedStep[];
  /** The payloads of all steps, one after the other. */
  readonly payloads: ArrayBuffer;
}

export type StepColumns = [
  request_id: string,
  session_id: string,
  model: string,
  step_id: number,
  status_code: number,
  env_name: string | null,
  job_id: string | null,
  group_id: string | null,
  created_at: string,
  meta_json: string,
];

/** For a structured clone, arrays cost a third of what objects cost. Payloads are given by their sizes in bytes. */
export type EncodedStep = readonly [
  ...StepColumns,
  request: number | null,
  response: number | null,
  messages: number | null,
  messages_base: number | null,
  messages_shared: number | null,
  base_request_id: string | null,
];

/** Copies the rows' bytes: they are often views of one large buffer, which a clone would copy whole. */
export function encodeSteps(rows: readonly StepRow[]): StepBatch {
  let size = 0;
  for (const { request, response, messages } of rows) {
    size += (request?.length ?? 0) + (response?.length ?? 0) + (messages?.length ?? 0);
  }
  const payloads = new Uint8Array(size);
  let end = 0;
  const put = (payload: Uint8Array | null): number | null => {
    if (payload === null) return null;
    payloads.set(payload, end);
    end += payload.length;
    return payload.length;
  };
  // Not by `map`: a clone of an array made by it takes the slow path for arrays with holes.
  const steps: EncodedStep[] = [];
  for (const row of rows) {
    steps.push([
      row.request_id,
      row.session_id,
      row.model,
      row.step_id,
      row.status_code,
      row.env_name,
      row.job_id,
      row.group_id,
      row.created_at,
      row.meta_json,
      put(row.request),
      put(row.response),
      put(row.messages),
      row.history?.messages_base ?? null,
      row.history?.messages_shared ?? null,
      row.history?.base_request_id ?? null,
    ]);
  }
  return { steps, payloads: payloads.buffer };
}

/** Cuts the payloads of each step out of the batch's buffer, in order. */
export class PayloadReader {
  readonly #payloads: ArrayBuffer;
  #end = 0;

  constructor(payloads: ArrayBuffer) {
    this.#payloads = payloads;
  }

  next(size: number | null): Uint8Array | null {
    if (size === null) return null;
    const start = this.#end;
    this.#end += size;
    return new Uint8Array(this.#payloads, start, size);
  }
}
