import type { Step } from "./records/step.ts";

export interface SideCallOptions {
  /** The policy's model. @default the one with the most completion tokens */
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

/** The model that produced the most tokens; on a tie, the first by name. */
function mostTokens(steps: readonly Step[]): string | null {
  const tokens = new Map<string, number>();
  for (const { model, completion_ids } of steps) {
    tokens.set(model, (tokens.get(model) ?? 0) + (completion_ids?.length ?? 0));
  }
  const models = [...tokens].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  return models[0]?.[0] ?? null;
}
