import type { GatewayConfig } from "@proj/gateway-protocol";
import { isEventStream } from "../call/answer.ts";
import type { Stage } from "../call/stage.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { BoundCall } from "../recording/bound-call.ts";
import type { Histories } from "../recording/histories.ts";
import { RecordedBody, WithheldBody } from "../recording/recorded-body.ts";
import { StepRecording } from "../recording/step-recording.ts";
import type { ModelTally } from "../session/model-tally.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import type { StepBudget } from "./step-budget.ts";

/**
 * Gives the call its number among the steps of its session and model, in the turn in which it got its place,
 * just before it is forwarded; writes the step's row before the answer may end.
 */
export function takeStep(
  config: GatewayConfig,
  recorder: Recorder,
  histories: Histories,
  budget: StepBudget,
): Stage<BoundCall> {
  const { telemetry, max_capture_bytes } = config;
  const strict = telemetry.mode === "strict";
  return (next) => async (call) => {
    // The place may have been given up between the grant and this turn.
    call.cancellation.throwIfCancelled();
    const { session } = call;
    // Of concurrent requests that repeat a step, one is its retry.
    if (call.retry !== null && !session.retries.claim(call.retry)) call.retry = null;
    // Checked again: others may have taken the last steps while this call waited.
    const stop = budget.stop(call);
    if (stop !== null) return stop;
    const release = strict ? recorder.reserve(call.body.bytes.length) : () => {};
    const tally = session.tally(call.model);
    if (call.endpoint.writeAnswer === null) {
      call.step_id = tally.takeNumberBesides();
      call.retry = null;
    } else call.step_id = tally.takeStep();
    if (call.retry !== null) {
      call.retry_of = call.retry.step_id;
      tally.returnStep();
    }
    const recording = new StepRecording(
      telemetry,
      recorder,
      histories,
      call,
      release,
      config.max_tokens >= 0,
    );
    call.recording = recording;
    try {
      const answer = await next(call);
      const withholds = strict && !isEventStream(answer);
      return answer.through((body) =>
        withholds
          ? new WithheldBody(body, answer, recording, call.lease, max_capture_bytes)
          : new RecordedBody(body, answer, recording, call.lease),
      );
    } catch (error) {
      if (isUnasked(error)) untake(call, tally, release);
      throw error;
    }
  };
}

/** The upstream was not asked: the gateway could not even connect, or knew that an engine cannot do it. */
const isUnasked = (error: unknown): boolean =>
  error instanceof GatewayError &&
  (error.code === "overloaded" || error.code === "not_supported_by_engine");

/**
 * Nothing was forwarded, so it was not a step; if another call already has the next number, it stays as a
 * failed step.
 */
function untake(call: BoundCall, tally: ModelTally, release: () => void): void {
  if (!tally.untakeStep(call.step_id, call.retry_of !== null)) return;
  call.step_id = 0;
  call.recording = null;
  call.timings.forwarded = 0;
  release();
}
