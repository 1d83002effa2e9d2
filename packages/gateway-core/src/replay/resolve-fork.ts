import type { BrowsableStore, ForkOrigin } from "@proj/session-store";
import { GatewayError } from "../errors/gateway-error.ts";
import { readRecordedSteps, recordOf } from "./read-record.ts";
import type { RecordedStep } from "./recorded-step.ts";

export interface ResolvedFork {
  /** With the model whose step it is. */
  readonly origin: ForkOrigin;
  /** How many steps are answered from the record. */
  readonly steps: number;
}

/**
 * Finds what a session is to begin from.
 * @throws GatewayError session_not_found, step_not_found, invalid_request, not_replayable, storage_unavailable
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
      `Nothing is stored of session '${from_session_id}'.`,
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

/** Whose step it is. Null: all of the record counts. */
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
    `Session '${from_session_id}' has a step ${step} of several models: say in 'model' whether of ${which.join(", ")}.`,
    { param: "model" },
  );
}
