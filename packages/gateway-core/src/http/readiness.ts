import type { Readiness as ReadinessStatus } from "@proj/gateway-protocol";
import type { Recorder } from "../telemetry/recorder.ts";

/** Whether the gateway should be given requests. */
export class Readiness {
  readonly #recorder: Pick<Recorder, "failure">;
  #phase: "starting" | "serving" | "draining" = "starting";
  /** Since shutdown began and its delay passed; readiness goes before. */
  refusesModelTraffic = false;

  constructor(recorder: Pick<Recorder, "failure">) {
    this.#recorder = recorder;
  }

  get status(): ReadinessStatus {
    if (this.#phase !== "serving") return this.#phase;
    return this.#recorder.failure === null ? "ready" : "storage_unavailable";
  }

  started(): void {
    this.#phase = "serving";
  }

  draining(): void {
    this.#phase = "draining";
  }
}
