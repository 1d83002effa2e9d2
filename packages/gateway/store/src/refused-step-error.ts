import { RefusedError } from "@proj/database";

/** A step that no retry can store: the table's columns cannot hold what the caller passed. */
export class RefusedStepError extends RefusedError {
  override readonly name = "RefusedStepError";

  static evenWithoutPayload(request_id: string, refusal: Error): RefusedStepError {
    const message = `the database refuses step ${request_id} even without its payload: ${refusal.message}`;
    return new RefusedStepError(message, { cause: refusal });
  }
}
