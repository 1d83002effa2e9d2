import type { TelemetryConfig } from "@proj/gateway-protocol";
import type { StepRow, StepWritten } from "@proj/session-store";
import { type CallError, CallerGoneError, GatewayError } from "../gateway-error.ts";
import type { Answer } from "../pipeline/answer.ts";
import type { BoundCall } from "../pipeline/call.ts";
import { sessionMoved } from "../session/session-moved.ts";
import { within } from "../within.ts";
import type { Histories } from "./histories.ts";
import { markLate } from "./late-steps.ts";
import type { Recorder } from "./recorder.ts";
import type { QueuedStep } from "./step-queue.ts";
import { createStepRow } from "./step-row.ts";

/** Turns the end of one step into its row, and holds the answer's end back until the row is durable. */
export class StepRecording {
  readonly #config: TelemetryConfig;
  readonly #recorder: Recorder;
  readonly #histories: Histories;
  readonly #call: BoundCall;
  readonly #releaseReservation: () => void;

  constructor(
    config: TelemetryConfig,
    recorder: Recorder,
    histories: Histories,
    call: BoundCall,
    releaseReservation: () => void,
  ) {
    this.#config = config;
    this.#recorder = recorder;
    this.#histories = histories;
    this.#call = call;
    this.#releaseReservation = releaseReservation;
  }

  /**
   * Records how the step ended: with `error`, or whole. Resolves with the error that the caller
   * gets: the one given, or under strict telemetry `telemetry_unavailable` where the row could not
   * be written in time, and `session_moved` where another gateway has the session; null where the answer may end well. Never rejects.
   */
  async finish(answer: Answer | null, error: CallError | null): Promise<CallError | null> {
    const read = answer?.reading?.facts() ?? null;
    const facts = read instanceof Promise ? await read : read;
    const row = createStepRow(this.#config, this.#call, answer, facts, error);
    const { session } = this.#call;
    const tally = session.tally(row.model);
    tally.prompt_tokens += facts?.prompt_tokens ?? 0;
    tally.completion_tokens += facts?.completion_tokens ?? 0;
    const timeoutMs = 1_000 * this.#config.write_timeout_s;
    const promised = this.#config.mode === "strict" && error === null;
    const deadline = promised ? Date.now() + timeoutMs : Number.POSITIVE_INFINITY;
    const step = this.#recorder.record(row, deadline);
    const isLate = session.status === "closed";
    if (isLate) markLate(this.#recorder, session.session_id);
    this.#releaseReservation();
    const written = step.written.then((result) => this.#written(step, result));
    if (promised) {
      const ending = isLate ? "late" : await this.#recorder.writtenInTime(step);
      if (ending === "moved") return sessionMoved(session.session_id);
      return ending === "stored" ? null : this.#refuse(step);
    }
    // An error is no success that could be lost; whoever looks the step up at once should find it.
    if (this.#config.mode === "strict" && !isCutOff(error)) await within(written, timeoutMs);
    return error;
  }

  #written(step: QueuedStep, result: StepWritten | null): void {
    if (result === null || result.stored === "moved") return;
    if (result.stored === "whole" && result.id !== null) this.#keepHistory(result.id, step.row);
    const tally = this.#call.session.tally(step.row.model);
    tally.steps = Math.max(tally.steps, result.step_id);
    if (step.row.status_code === 200) tally.succeeded(result.step_id);
  }

  #keepHistory(row_id: number, row: StepRow): void {
    const { recorded, session } = this.#call;
    const history = recorded.historyOf(row_id, row);
    if (history !== null) this.#histories.keep(session.session_id, history, recorded.former);
  }

  /** The caller is refused what the upstream answered, and the row, written later, says so. */
  #refuse(step: QueuedStep): GatewayError {
    const message = "The step was forwarded, but its row could not be written in time.";
    const meta = JSON.parse(step.row.meta_json);
    const refused = { ...meta, status_code: 503, outcome: "not_delivered", error: message };
    this.#recorder.amend(step, 503, JSON.stringify(refused));
    return new GatewayError("telemetry_unavailable", message, {
      retryable: false,
      retryAfterMs: 1_000,
    });
  }
}

/** Whether the caller has left, or the gateway itself ended the call: nobody waits for its row. */
function isCutOff(error: CallError | null): boolean {
  if (error instanceof CallerGoneError) return true;
  const code = error?.code;
  return code === "session_closed" || code === "session_moved" || code === "gateway_draining";
}
