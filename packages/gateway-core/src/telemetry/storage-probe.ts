import type { ReadinessWarning } from "@proj/gateway-protocol";
import { type SessionStore, StoreUnavailableError } from "@proj/session-store";
import { within } from "../waiting/within.ts";
import type { Recorder } from "./recorder.ts";

/** Shortest time between two probes of storage, however often readiness is asked for. */
const intervalMs = 1_000;
/** A probe that waited longer would itself be taken for a failure. */
const longestWaitMs = 500;

/** Asks storage whether it is still there, also while nothing is written. */
export class StorageProbe {
  readonly #store: SessionStore;
  readonly #recorder: Recorder;
  readonly #minFreeBytes: number;
  #askedAt = Number.NEGATIVE_INFINITY;
  #freeBytes = Number.POSITIVE_INFINITY;

  /** @param minFreeBytes with less on the storage's disk it warns; 0: never */
  constructor(store: SessionStore, recorder: Recorder, minFreeBytes: number) {
    this.#minFreeBytes = minFreeBytes;
    this.#store = store;
    this.#recorder = recorder;
  }

  /** What will refuse rows if nobody does anything, as far as was last seen. */
  get warnings(): readonly ReadinessWarning[] {
    if (this.#freeBytes >= this.#minFreeBytes) return [];
    const message = `${this.#freeBytes} bytes are free on the database's disk, less than storage_config.min_free_bytes`;
    return [{ code: "low_disk_space", message }];
  }

  /** Resolves when the recorder knows, or soon; then it will know the next time. */
  async ask(): Promise<void> {
    const now = performance.now();
    if (now - this.#askedAt < intervalMs) return;
    this.#askedAt = now;
    await within(Promise.all([this.#check(), this.#measure()]), longestWaitMs);
  }

  async #measure(): Promise<void> {
    this.#freeBytes = (await this.#store.measure())?.free_bytes ?? Number.POSITIVE_INFINITY;
  }

  async #check(): Promise<void> {
    if (this.#recorder.failure !== null) return;
    try {
      await this.#store.check();
    } catch (error) {
      if (error instanceof StoreUnavailableError) this.#recorder.unreachable(error);
    }
  }
}
