import type { SessionStore, StepAmendment } from "@proj/session-store";

/** Corrections to rows that may already be stored. */
export class Amendments {
  readonly #waiting: StepAmendment[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Leaves a row's payload behind: its memory may be freed, and a correction does not need it. */
  add({ request_id, status_code, meta_json }: StepAmendment): void {
    this.#waiting.push({ request_id, status_code, meta_json });
  }

  /** Corrections that cannot be written stay queued. @throws StoreUnavailableError */
  async write(store: SessionStore): Promise<void> {
    if (this.isEmpty) return;
    const amendments = this.#waiting.slice();
    await store.amendSteps(amendments);
    this.#waiting.splice(0, amendments.length);
  }
}
