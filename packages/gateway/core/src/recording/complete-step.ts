import type { TelemetryConfig } from "@proj/gateway-protocol";
import { type AnswerFacts, tokensOf } from "@proj/model-apis";
import { asBuffer } from "@proj/model-apis/json";
import type { SessionStore } from "@proj/session-store";
import { describeOutcome } from "../call/outcome.ts";
import type { Session } from "../session/session.ts";
import type { PendingStep } from "../session/stored-objects.ts";
import { costNanoUsd } from "./step-cost.ts";
import { keepsPayload, usageMeta } from "./step-meta.ts";
import type { StoredCall } from "./stored-call.ts";

/**
 * Completes the row of a step whose answer was made in the background, from the answer that a later request
 * got.
 * @returns when the step began, in milliseconds since the epoch, and its cost
 * @throws what storage throws
 */
export async function completeStep(
  store: SessionStore,
  config: TelemetryConfig,
  { model, request_id, route }: Pick<StoredCall, "model" | "request_id" | "route">,
  session: Session,
  { step_id, ...pending }: PendingStep,
  facts: AnswerFacts,
): Promise<{ readonly started_at: number; readonly cost_nano_usd: number | null }> {
  const { status_code, outcome, error } = describeOutcome(200, facts, null);
  const { finish_reason, truncated } = facts;
  const tokens = tokensOf(facts);
  const before = JSON.parse(pending.meta_json);
  // The price is that of the day on which the answer was requested.
  const started_at = Date.parse(before.started_at);
  const cost_nano_usd = costNanoUsd(route.config.prices, started_at, facts);
  // Its usage has come now; what it held is given back.
  const isPriced =
    before.unpriced === 1 && (tokens.prompt_tokens ?? tokens.completion_tokens) !== null;
  const priced = isPriced
    ? { unpriced: undefined, held_tokens: undefined, held_nano_usd: undefined }
    : {};
  const meta = {
    ...before,
    ...{ status_code, outcome, error, finish_reason, truncated },
    ...usageMeta(tokens, cost_nano_usd),
    completed_by: request_id,
    ...priced,
  };
  const keeps = keepsPayload(config, session.session_id, model, step_id, status_code);
  const answer = keeps && facts.text !== null ? asBuffer(facts.text).toString() : null;
  const meta_json = JSON.stringify(meta);
  await store.amendSteps([{ request_id: pending.request_id, status_code, meta_json, answer }]);
  const tally = session.tally(model);
  tally.addUsage(tokens, cost_nano_usd);
  if (isPriced) {
    const { held_tokens = 0, held_nano_usd = 0 } = before;
    tally.addUnpriced({ tokens: -held_tokens, nano_usd: -held_nano_usd }, -1);
  }
  tally.stored(step_id, status_code === 200);
  return { started_at, cost_nano_usd };
}
