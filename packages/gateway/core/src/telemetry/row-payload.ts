import type { StepRow } from "@proj/session-store";

/** The bytes that a row counts for in the bounds of the queue. */
export function rowBytes({ meta_json, request, response, messages }: StepRow): number {
  const payload = (request?.length ?? 0) + (response?.length ?? 0) + (messages?.length ?? 0);
  return meta_json.length + payload;
}

export function hasPayload({ request, response, messages }: StepRow): boolean {
  return request !== null || response !== null || messages !== null;
}

/** The row without the parts that may keep it from being stored, with the reason. */
export function withoutPayload(row: StepRow, capture_error: string): StepRow {
  const meta_json = JSON.stringify({ ...JSON.parse(row.meta_json), capture_error });
  return { ...row, meta_json, request: null, response: null, messages: null, history: null };
}
