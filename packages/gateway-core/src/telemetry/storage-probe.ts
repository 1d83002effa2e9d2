import { type SessionStore, StoreUnavailableError } from "@proj/session-store";
import { within } from "../within.ts";
import type { Recorder } from "./recorder.ts";

/** However often readiness is asked for, storage is asked once in so many milliseconds. */
const intervalMs = 1_000;
/** A probe that waited longer would itself be taken for a failure. */
const longestWaitMs = 500;

/** Asks a storage beyond this machine whether it is there, also where nothing is written at the moment. */
export class StorageProbe {
  readonly #store: SessionStore;
  readonly #recorder: Recorder;
  #askedAt = 0;

  constructor(store: SessionStore, recorder: Recorder) {
    this.#store = store;
    this.#recorder = recorder;
  }

  /** Resolves when the recorder knows, or soon; then it will know the next time. */
  async ask(): Promise<void> {
    const isLocal = this.#store.storage_type === "sqlite";
    if (isLocal || this.#recorder.failure !== null) return;
    if (Date.now() - this.#askedAt < intervalMs) return;
    this.#askedAt = Date.now();
    await within(this.#ping(), longestWaitMs);
  }

  async #ping(): Promise<void> {
    try {
      await this.#store.ping();
    } catch (error) {
      if (error instanceof StoreUnavailableError) this.#recorder.unreachable(error);
    }
  }
}
