import type { GatewayConfig } from "@proj/gateway-protocol";
import type { AnswerFacts } from "@proj/model-apis";
import { isJsonObject, parseJson } from "@proj/model-apis/json";
import type { SessionStore } from "@proj/session-store";
import { type Answer, isEventStream } from "../call/answer.ts";
import type { Stage } from "../call/stage.ts";
import { type CallError, GatewayError } from "../errors/gateway-error.ts";
import { completeStep } from "../recording/complete-step.ts";
import { type AnswerEnding, RecordedBody, WithheldBody } from "../recording/recorded-body.ts";
import type { StoredCall } from "../recording/stored-call.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import type { CallTracing } from "../tracing/call-tracing.ts";
import { within } from "../waiting/within.ts";

export interface FollowStoredOptions {
  readonly config: GatewayConfig;
  readonly store: SessionStore;
  readonly recorder: Recorder;
  readonly registry: SessionRegistry;
  /** Null if calls are not traced. */
  readonly tracing: CallTracing | null;
}

/**
 * Learns from answers about stored objects: which were created, which are gone, and when background responses
 * end, which completes their steps before the caller gets the answer.
 */
export function followStored(options: FollowStoredOptions): Stage<StoredCall> {
  const { config, registry } = options;
  return (next) => async (call) => {
    const { session } = call;
    const leave = session === null ? () => {} : registry.enter(session, call.cancellation);
    try {
      const answer = await next(call);
      const ending: AnswerEnding = {
        finish: (_answer, error) => finish(options, call, answer, error),
      };
      answer.settled.when(leave);
      return answer.through((body) =>
        isEventStream(answer)
          ? new RecordedBody(body, answer, ending, call.lease)
          : new WithheldBody(body, answer, ending, call.lease, config.max_capture_bytes),
      );
    } catch (error) {
      leave();
      throw error;
    }
  };
}

async function finish(
  options: FollowStoredOptions,
  call: StoredCall,
  answer: Answer,
  error: CallError | null,
): Promise<CallError | null> {
  const facts = (await answer.reading?.facts()) ?? null;
  if (facts === null || error !== null || !facts.complete || !isSuccess(answer)) return error;
  const { object, objects, isWhole, stored } = call;
  if (object !== null && call.kind === "conversation" && !isWhole && stored.method !== "GET")
    call.session?.answers.changed(object.id);
  if (object === null) {
    if (facts.object_id === null) return null;
    call.session?.answers.begun(facts.object_id, !hasItems(call));
    return keep(options, call, facts.object_id);
  } else if (stored.method === "DELETE") {
    if (isWhole) objects.forget(object.id);
  } else if (facts.object_id === object.id && facts.finish_reason !== null && !facts.is_pending)
    return complete(options, call, facts);
  return null;
}

/** Refuses the answer if the conversation could not be found later, so that the caller asks for another one. */
async function keep(
  { config }: FollowStoredOptions,
  { objects, model, sent }: StoredCall,
  conversation_id: string,
): Promise<CallError | null> {
  try {
    await objects.keepConversation({ conversation_id, model, replica: sent.replica });
  } catch (cause) {
    if (config.telemetry.mode === "best_effort") return null;
    const message = "The conversation exists, but cannot be remembered. Create another one.";
    return new GatewayError("telemetry_unavailable", message, { cause, retryAfterMs: 1_000 });
  }
  return null;
}

/** Refuses the answer if its step cannot be completed, so that the caller asks again. */
async function complete(
  { config, store, recorder, tracing }: FollowStoredOptions,
  call: StoredCall,
  facts: AnswerFacts,
): Promise<CallError | null> {
  const found = call.object?.found ?? null;
  const pending = found?.pending ?? null;
  if (call.session === null || found === null || pending === null) return null;
  // Of several concurrent requests, one completes it.
  found.pending = null;
  try {
    const { telemetry } = config;
    const isStored = recorder.drained(call.session.session_id);
    if (!(await within(isStored, 1_000 * telemetry.write_timeout_s)))
      throw new Error("the step's row is not stored yet");
    const completed = await completeStep(store, telemetry, call, call.session, pending, facts);
    tracing?.stepCompleted(call, { ...completed, step_id: pending.step_id }, facts);
    return null;
  } catch (cause) {
    found.pending = pending;
    const message = "The response exists, but its step could not be completed. Ask again.";
    return new GatewayError("telemetry_unavailable", message, { cause, retryAfterMs: 1_000 });
  }
}

/** Whether a new conversation begins with items, which are in no row. */
function hasItems({ body: { bytes } }: StoredCall): boolean {
  const request = parseJson(bytes.toString());
  const items = isJsonObject(request) ? request.items : null;
  return Array.isArray(items) && items.length > 0;
}

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;
