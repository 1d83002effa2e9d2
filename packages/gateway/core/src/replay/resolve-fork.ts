import type { BrowsableStore, ForkOrigin } from "@proj/session-store";
import { GatewayError } from "../errors/gateway-error.ts";
import { readRecordedSteps, recordOf } from "./read-record.ts";
import type { RecordedStep } from "./recorded-step.ts";

export interface ResolvedFork {
  /** What was asked for, with the model that the step belongs to. */
  readonly origin: ForkOrigin;
  /** Number of steps answered from the record. */
  readonly steps: number;
}

/**
 * Finds what a new session begins from.
 * @throws GatewayError session_not_found, step_not_found, invalid_request, not_replayable,
 * storage_unavailable
 */
export async function resolveFork(
  store: Pick<BrowsableStore, "browser">,
  asked: ForkOrigin,
): Promise<ResolvedFork> {
  const { from_session_id } = asked;
  const all = await readRecordedSteps(store, from_session_id);
  if (all.length === 0)
    throw new GatewayError(
      "session_not_found",
      `Nothing is stored for session '${from_session_id}'.`,
      { param: "from" },
    );
  const origin = { ...asked, model: modelOf(asked, all) };
  const steps = [...recordOf(all, origin).steps.values()].flat();
  const lacking = steps.find(({ lacks }) => lacks !== null);
  if (lacking !== undefined)
    throw new GatewayError(
      "not_replayable",
      `Step ${lacking.step_id} of '${lacking.model}' in session '${from_session_id}' cannot be answered from its record: ${lacking.lacks}.`,
    );
  return { origin, steps: steps.length };
}

/** The model whose step is meant; null if the whole record counts. */
function modelOf(
  { from_session_id, model, step }: ForkOrigin,
  all: readonly RecordedStep[],
): string | null {
  if (step === null) return null;
  const models = all.filter((each) => each.step_id === step).map((each) => each.model);
  const which = model === null ? models : models.filter((each) => each === model);
  const [first] = which;
  if (first === undefined) {
    const whose = model === null ? "" : ` of the model '${model}'`;
    throw new GatewayError(
      "step_not_found",
      `Session '${from_session_id}' has no step ${step}${whose}.`,
      { param: "step" },
    );
  }
  if (which.length === 1) return first;
  throw new GatewayError(
    "invalid_request",
    `Several models have a step ${step} in session '${from_session_id}': name one in 'model': ${which.join(", ")}.`,
    { param: "model" },
  );
}
