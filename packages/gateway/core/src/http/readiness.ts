import type { Readiness as ReadinessStatus, ReadinessWarning } from "@proj/gateway-protocol";
import { StoreReplacedError } from "@proj/session-store";
import type { Recorder } from "../telemetry/recorder.ts";
import type { StorageProbe } from "../telemetry/storage-probe.ts";

/** Whether the gateway should receive requests. */
export class Readiness {
  readonly #recorder: Pick<Recorder, "failure">;
  readonly #probe: Pick<StorageProbe, "ask" | "warnings">;
  #phase: "starting" | "serving" | "draining" = "starting";
  readonly #ending = new AbortController();

  constructor(recorder: Pick<Recorder, "failure">, probe: Pick<StorageProbe, "ask" | "warnings">) {
    this.#recorder = recorder;
    this.#probe = probe;
  }

  /** Aborts once shutdown has begun and its delay has passed; readiness is withdrawn before that. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  get refusesModelTraffic(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Asks storage for changes that may have gone unnoticed. */
  async refresh(): Promise<void> {
    if (this.#phase === "serving") await this.#probe.ask();
  }

  get status(): ReadinessStatus {
    if (this.#phase !== "serving") return this.#phase;
    const { failure } = this.#recorder;
    if (failure === null) return "ready";
    return failure instanceof StoreReplacedError ? "storage_replaced" : "storage_unavailable";
  }

  get warnings(): readonly ReadinessWarning[] {
    return this.#phase === "serving" ? this.#probe.warnings : [];
  }

  started(): void {
    this.#phase = "serving";
  }

  draining(): void {
    this.#phase = "draining";
  }

  /** From here on nothing new starts, and requests that wait for an event are answered. */
  end(): void {
    this.#ending.abort();
  }
}
