import type { TelemetryConfig } from "@proj/gateway-protocol";
import { GatewayError } from "../errors/gateway-error.ts";
import type { QueuedStep, StepQueue } from "./step-queue.ts";

/**
 * Applies `queue_max_rows` and `queue_max_bytes`: in strict mode by reserving room before a step is taken, otherwise by
 * the loss policy.
 */
export class QueueBounds {
  readonly #config: TelemetryConfig;
  readonly #queue: StepQueue;
  /** Rows still to come that have room reserved, and their bytes. */
  #rows = 0;
  #bytes = 0;
  /** Reservations made since the start. */
  taken = 0;
  /** Time of the last reservation, in milliseconds of `performance.now()`. */
  takenAt = 0;
  /** Called when the last reservation is gone. */
  onNone: (() => void) | null = null;

  constructor(config: TelemetryConfig, queue: StepQueue) {
    this.#config = config;
    this.#queue = queue;
  }

  get reservedRows(): number {
    return this.#rows;
  }

  /**
   * Reserves room for a row; returns the function that gives it back.
   * @throws GatewayError telemetry_unavailable
   */
  reserve(bytes: number): () => void {
    const { queue_max_rows, queue_max_bytes } = this.#config;
    const held = this.#queue.bytes + this.#bytes;
    // A row larger than the whole bound passes if it is alone.
    const isTooLarge = held > 0 && held + bytes > queue_max_bytes;
    if (isTooLarge || this.#queue.rows + this.#rows + 1 > queue_max_rows)
      throw unavailable("too many rows wait to be written");
    this.#rows += 1;
    this.#bytes += bytes;
    this.taken += 1;
    this.takenAt = performance.now();
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#rows -= 1;
      this.#bytes -= bytes;
      if (this.#rows === 0) this.onNone?.();
    };
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

/** A step is not taken because its row could not be stored. */
export function unavailable(why: string): GatewayError {
  const message = `The step cannot be recorded: ${why}. Try again.`;
  return new GatewayError("telemetry_unavailable", message, { retryAfterMs: 1_000 });
}
