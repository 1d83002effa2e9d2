import type { GatewayConfig } from "@proj/gateway-protocol";
import type { Histories } from "../telemetry/histories.ts";
import { RecordedBody, WithheldBody } from "../telemetry/recorded-body.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import { StepRecording } from "../telemetry/step-recording.ts";
import { isEventStream } from "./answer.ts";
import type { BoundCall } from "./call.ts";
import type { Stage } from "./stage.ts";
import type { StepBudget } from "./step-budget.ts";

/**
 * Gives the call its number among the steps of its session and model, in the turn in which it got
 * its place, just before it is forwarded; gives back the step's row before the answer may end.
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
    // It may have been given up between the grant of its place and this turn.
    call.cancellation.throwIfCancelled();
    // Asked again: others may have taken the last steps while this one waited.
    const stop = budget.stop(call);
    if (stop !== null) return stop;
    const release = strict ? recorder.reserve(call.body.bytes.length) : () => {};
    call.step_id = ++call.session.tally(call.model).steps;
    const recording = new StepRecording(telemetry, recorder, histories, call, release);
    call.recording = recording;
    const answer = await next(call);
    answer.body =
      strict && !isEventStream(answer)
        ? new WithheldBody(answer, recording, call.lease, max_capture_bytes)
        : new RecordedBody(answer, recording, call.lease);
    return answer;
  };
}
