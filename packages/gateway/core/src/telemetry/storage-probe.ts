import type { ReadinessWarning } from "@proj/gateway-protocol";
import { type SessionStore, StoreUnavailableError } from "@proj/session-store";
import { within } from "../waiting/within.ts";
import type { Recorder } from "./recorder.ts";

/** Shortest time between two probes of storage in milliseconds, however often readiness is requested. */
const intervalMs = 1_000;
/** Longest wait in milliseconds: a slower probe would itself be taken for a failure. */
const maxWaitMs = 500;

/** Checks whether storage is still there, even while nothing is written. */
export class StorageProbe {
  readonly #store: SessionStore;
  readonly #recorder: Recorder;
  readonly #minFreeBytes: number;
  #askedAt = Number.NEGATIVE_INFINITY;
  #freeBytes = Number.POSITIVE_INFINITY;

  /** @param minFreeBytes warns if the storage's disk has less free space; 0: never */
  constructor(store: SessionStore, recorder: Recorder, minFreeBytes: number) {
    this.#minFreeBytes = minFreeBytes;
    this.#store = store;
    this.#recorder = recorder;
  }

  /** Conditions seen last that will make storage refuse rows unless somebody acts. */
  get warnings(): readonly ReadinessWarning[] {
    if (this.#freeBytes >= this.#minFreeBytes) return [];
    const message = `${this.#freeBytes} bytes are free on the database's disk, less than storage_config.min_free_bytes`;
    return [{ code: "low_disk_space", message }];
  }

  /** Resolves when the recorder knows the state, or after a short time; the next call will then know it. */
  async ask(): Promise<void> {
    const now = performance.now();
    if (now - this.#askedAt < intervalMs) return;
    this.#askedAt = now;
    await within(Promise.all([this.#check(), this.#measure()]), maxWaitMs);
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
