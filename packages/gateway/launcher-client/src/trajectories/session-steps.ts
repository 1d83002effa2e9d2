import type { JobStore, StepPage, StoredStep } from "@proj/session-store";

/** A session's steps of all models, in order; pages are read on demand. */
export async function* sessionSteps(
  store: Pick<JobStore, "readSteps">,
  session_id: string,
): AsyncGenerator<StoredStep, void, undefined> {
  for (let after: number | null = 0; after !== null; ) {
    const page: StepPage = await store.readSteps({ session_id, after });
    yield* page.steps;
    after = page.next_after;
  }
}
