import type { SessionStore, StepAmendment } from "@proj/session-store";

/** What rows must say differently that may be stored already. */
export class Amendments {
  readonly #waiting: StepAmendment[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(amendment: StepAmendment): void {
    this.#waiting.push(amendment);
  }

  /** Those that fail to be written keep waiting. @throws StoreUnavailableError */
  async write(store: SessionStore): Promise<void> {
    if (this.isEmpty) return;
    const amendments = this.#waiting.slice();
    await store.amendSteps(amendments);
    this.#waiting.splice(0, amendments.length);
  }
}
