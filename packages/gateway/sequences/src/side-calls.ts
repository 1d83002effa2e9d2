import { type Step, sampledTokens } from "./records/step.ts";

export interface SideCallOptions {
  /** The policy's model. @default the one with the most token ids */
  readonly model?: string | undefined;
  /** Returns the name of the rule that sets a step apart; null if none does. */
  readonly side_call_rule?: ((step: Step) => string | null) | undefined;
}

/**
 * Separates side calls from the policy's own: by what the step says about itself, by the rule, by the model.
 */
export function sideCallRule(
  steps: readonly Step[],
  { model, side_call_rule }: SideCallOptions,
): (step: Step) => string | null {
  const policy = model ?? mostTokens(steps);
  return (step) => {
    const { request_kind } = step;
    if (step.side_call !== null) return step.side_call;
    if (request_kind !== null && request_kind !== "turn") return request_kind;
    const rule = side_call_rule?.(step) ?? null;
    if (rule !== null) return rule;
    return step.model === policy ? null : "other_model";
  };
}

/** The model with the most token ids; on a tie the one that sampled more, then the first by name. */
function mostTokens(steps: readonly Step[]): string | null {
  const models = [...Map.groupBy(steps, ({ model }) => model)].map(([model, own]) => ({
    model,
    ids: own.reduce((sum, { completion_ids }) => sum + (completion_ids?.length ?? 0), 0),
    sampled: own.reduce((sum, step) => sum + (sampledTokens(step) ?? 0), 0),
  }));
  models.sort((a, b) => b.ids - a.ids || b.sampled - a.sampled || (a.model < b.model ? -1 : 1));
  return models[0]?.model ?? null;
}
