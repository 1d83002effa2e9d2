import type { TelemetryConfig } from "@proj/gateway-protocol";
import type { Reservations } from "./reservations.ts";
import type { QueuedStep, StepQueue } from "./step-queue.ts";
import { unavailable } from "./unavailable.ts";

/**
 * Applies `queue_max_rows` and `queue_max_bytes`: in strict mode before a step is taken, otherwise by the
 * loss policy.
 */
export class QueueBounds {
  readonly #config: TelemetryConfig;
  readonly #queue: StepQueue;
  readonly #reserved: Reservations;

  constructor(config: TelemetryConfig, queue: StepQueue, reserved: Reservations) {
    this.#config = config;
    this.#queue = queue;
    this.#reserved = reserved;
  }

  /** Reserves room for a row. @throws GatewayError telemetry_unavailable */
  reserve(bytes: number): () => void {
    const { queue_max_rows, queue_max_bytes } = this.#config;
    const rows = this.#queue.rows + this.#reserved.rows + 1;
    const held = this.#queue.bytes + this.#reserved.bytes;
    // A row larger than the whole bound passes if it is alone.
    if (rows > queue_max_rows || (held > 0 && held + bytes > queue_max_bytes))
      throw unavailable("too many rows wait to be written");
    return this.#reserved.take(bytes);
  }

  /** Whether the row may be queued; calls `lose` for each row that gives way to it. */
  makeRoom(step: QueuedStep, lose: (step: QueuedStep) => void): boolean {
    const { queue_max_rows, queue_max_bytes, loss_policy } = this.#config;
    while (!this.#queue.hasRoom(step.bytes, queue_max_rows, queue_max_bytes)) {
      const oldest = loss_policy === "drop_oldest" ? this.#queue.oldestWaiting() : undefined;
      if (oldest === undefined) return false;
      lose(oldest);
    }
    return true;
  }
}
