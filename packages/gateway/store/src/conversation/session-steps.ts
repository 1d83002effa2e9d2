import { type RowTexts, WholeRows } from "@proj/model-apis";
import type { SessionStore, StepPage, StoredStep } from "../store.ts";

/** A step with all that its model was shown. */
export interface WholeStep extends StoredStep {
  /**
   * `partial`: the request named an answer or conversation that is in no row of the session, so `messages` begin in
   * the middle. Missing otherwise.
   */
  readonly history?: "partial";
}

/**
 * A session's steps of all models, in order; pages are read on demand. `messages` are the whole history, also where
 * the request named what came before instead of repeating it.
 */
export async function* sessionSteps(
  store: Pick<SessionStore, "readSteps">,
  session_id: string,
): AsyncGenerator<WholeStep, void, undefined> {
  const rows = new WholeRows();
  const readRow = async (request_id: string): Promise<RowTexts | null> =>
    (await store.readSteps({ session_id, request_id })).steps[0] ?? null;
  for (let after: number | null = 0; after !== null; ) {
    const page: StepPage = await store.readSteps({ session_id, after });
    for (const step of page.steps) {
      const { request, messages, isPartial } = await rows.of(step, readRow);
      yield { ...step, request, messages, ...(isPartial ? { history: "partial" } : {}) };
    }
    after = page.next_after;
  }
}
