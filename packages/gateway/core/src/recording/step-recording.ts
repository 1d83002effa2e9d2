import type { TelemetryConfig } from "@proj/gateway-protocol";
import { type AnswerFacts, parseBesidesHistory, tokensOf } from "@proj/model-apis";
import { monotonicMs, type StepRow, type StepWritten } from "@proj/session-store";
import type { Answer } from "../call/answer.ts";
import { describeOutcome } from "../call/outcome.ts";
import {
  type CallError,
  CallerGoneError,
  GatewayError,
  sessionMoved,
} from "../errors/gateway-error.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import type { QueuedStep } from "../telemetry/step-queue.ts";
import { within } from "../waiting/within.ts";
import { type BoundCall, retryMarks } from "./bound-call.ts";
import type { Histories } from "./histories.ts";
import type { RequestDigest } from "./recorded-request.ts";
import { costOf, isUnpriced } from "./step-cost.ts";
import { keptAs, storeOf } from "./step-meta.ts";
import { createStepRow } from "./step-row.ts";

/** Turns the end of one step into its row, and withholds the answer's end until the row is durable. */
export class StepRecording {
  readonly #config: TelemetryConfig;
  readonly #recorder: Recorder;
  readonly #histories: Histories;
  readonly #call: BoundCall;
  readonly #releaseReservation: () => void;
  /** A budget of tokens is set. */
  readonly #countsTokens: boolean;

  constructor(
    config: TelemetryConfig,
    recorder: Recorder,
    histories: Histories,
    call: BoundCall,
    releaseReservation: () => void,
    countsTokens: boolean,
  ) {
    this.#countsTokens = countsTokens;
    this.#config = config;
    this.#recorder = recorder;
    this.#histories = histories;
    this.#call = call;
    this.#releaseReservation = releaseReservation;
  }

  /**
   * Records how the step ended: with `error`, or whole. Resolves with the error that the caller gets: the
   * given one, or under strict telemetry `telemetry_unavailable` if the row could not be written in time and
   * `session_moved` if another gateway has the session; null if the answer may end normally. Never rejects.
   */
  async finish(answer: Answer | null, error: CallError | null): Promise<CallError | null> {
    const read = answer?.reading?.facts() ?? null;
    const facts = read instanceof Promise ? await read : read;
    const { session, recorded } = this.#call;
    const digest = recorded.digest();
    const unpriced = this.#isUnpriced(answer, facts, error);
    const row = createStepRow(
      this.#config,
      this.#call,
      answer,
      facts,
      error,
      digest.sha256,
      unpriced,
    );
    this.#mayBeRepeated(digest, row.status_code >= 200 && row.status_code < 300);
    const kept = keptAs(this.#call, facts);
    if (kept !== null) this.#remember(kept, row);
    const tally = session.tally(row.model);
    tally.addUsage(tokensOf(facts), costOf(this.#call, facts));
    if (unpriced) tally.addUnpriced(this.#call.hold);
    const timeoutMs = 1_000 * this.#config.write_timeout_s;
    const promised = this.#config.mode === "strict" && error === null;
    const deadline = promised ? monotonicMs() + timeoutMs : Number.POSITIVE_INFINITY;
    const step = this.#recorder.record(row, deadline);
    this.#call.memory.hold();
    const isLate = session.status === "closed";
    if (isLate) this.#recorder.markLate(session.session_id);
    this.#releaseReservation();
    step.written.when((result) => this.#written(step, result, digest));
    if (promised) {
      const ending = isLate ? "late" : await this.#recorder.writtenInTime(step);
      if (ending === "moved") return sessionMoved(session.session_id);
      if (ending === "stored") return null;
      this.#mayBeRepeated(digest, false);
      return this.#refuse(step);
    }
    // No success can be lost, but a caller that looks up the step at once should find it.
    if (this.#config.mode === "strict" && !isCutOff(error))
      await within(step.written.promise(), timeoutMs);
    return error;
  }

  /**
   * Later requests may name the answer. The upstream may be asked for the answer again; if it was made in the background, that completes the row.
   */
  #remember(id: string, { request_id, step_id, status_code, meta_json }: StepRow): void {
    const { endpoint, session, model, sent, body, reference } = this.#call;
    session.answers.answered(id, request_id, storeOf(this.#call) === false);
    if (status_code === 200 && reference?.by === "conversation" && reference.id !== null)
      session.answers.answered(reference.id, request_id);
    if (!endpoint.keepsAnswers) return;
    const { replica } = sent;
    const isPending = status_code !== 200 && parseBesidesHistory(body).background === true;
    const pending = isPending ? { request_id, step_id, meta_json } : null;
    session.stored.remember(id, { model, replica, pending });
  }

  #isUnpriced(answer: Answer | null, facts: AnswerFacts | null, error: CallError | null): boolean {
    const outcome = describeOutcome(answer?.upstream?.status ?? null, facts, error);
    return isUnpriced(this.#call, answer, facts, outcome, this.#countsTokens);
  }

  #mayBeRepeated(digest: RequestDigest, isDelivered: boolean): void {
    const { session, step_id, retry } = this.#call;
    const retries = retry === null ? 0 : retry.retries + 1;
    const marks = retryMarks(this.#call, { digest: () => digest });
    session.retries.ended(marks, { step_id, isDelivered, retries });
  }

  #written(step: QueuedStep, result: StepWritten | null, digest: RequestDigest): void {
    // A lost row may still be on its way to the database: V8 knows when it is not.
    if (result === null) return;
    if (result.stored !== "moved") this.#stored(step, result, digest);
    this.#call.memory.release();
  }

  #stored(step: QueuedStep, result: StepWritten, digest: RequestDigest): void {
    if (result.stored === "whole" && result.id !== null)
      this.#keepHistory(result.id, step.row, digest);
    // The row it was built on may be gone from the database: store the next row whole.
    else this.#histories.forget(step.row.session_id);
    const tally = this.#call.session.tally(step.row.model);
    tally.stored(result.step_id, step.row.status_code === 200);
    if (this.#call.replayed !== null) tally.storedReplayed();
  }

  #keepHistory(row_id: number, row: StepRow, digest: RequestDigest): void {
    const { memory, recorded, session } = this.#call;
    const history = recorded.historyOf(row_id, row, digest, memory);
    if (history !== null) this.#histories.keep(session.session_id, history, recorded.former);
  }

  /** The caller is refused the upstream's answer, and the row, written later, says so. */
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

/** Whether the caller has left, or the gateway itself ended the call: then nobody waits for its row. */
function isCutOff(error: CallError | null): boolean {
  if (error instanceof CallerGoneError) return true;
  const code = error?.code;
  return code === "session_closed" || code === "session_moved" || code === "gateway_draining";
}
