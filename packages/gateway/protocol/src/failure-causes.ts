/**
 * Why an attempt has no reward, as people ask for it. Its code says which part of the launcher noticed: an agent that
 * reports a full context and one that reports a bug both end with `runtime_failed`.
 */
export type FailureCause =
  | "judge"
  | "context_length"
  | "rate_limit"
  | "time_out"
  | "infrastructure"
  | "fork"
  | "crash"
  | "agent";

export interface CauseSigns {
  readonly cause: FailureCause;
  /** What the error begins with. */
  readonly codes?: readonly string[];
  /** What the error contains, in lower case; `_` is any one character, as in SQL's `like`. */
  readonly texts?: readonly string[];
  /** The attempt's status. */
  readonly status?: string;
}

/** The first of these that fits tells the cause; if none does, it is the agent. */
export const causeSigns: readonly CauseSigns[] = [
  { cause: "judge", codes: ["evaluator_", "no_total_reward"] },
  {
    cause: "context_length",
    texts: [
      ...["context_length", "context_window", "context_size", "context_limit", "maximum_context"],
      ...["prompt_is_too_long", "input_is_too_long", "prompt_too_long", "input_too_long"],
      ...["too_many_tokens", "input_token_count", "string_above_max_length"],
    ],
  },
  {
    cause: "rate_limit",
    texts: [
      ...["rate_limit", "ratelimit", "too_many_requests", "throttling", "throttled"],
      ...["resource_exhausted", "exceeded_your_current_quota", "insufficient_quota"],
      ...["status_429", "code_429", "http_429", "error_429", "with_429", "429_too"],
    ],
  },
  { cause: "time_out", codes: ["runtime_timeout"], texts: ["timed_out", "timeouterror"] },
  { cause: "infrastructure", status: "infrastructure" },
  { cause: "fork", codes: ["fork_"] },
  { cause: "crash", codes: ["runtime_exited", "runtime_broke_off", "runtime_refused"] },
];

export const otherCause: FailureCause = "agent";

/** @param error begins with the code of the failure; null: nothing is known of it */
export function causeOfFailure(status: string, error: string | null): FailureCause {
  const said = (error ?? "").toLowerCase();
  const fits = ({ codes = [], texts = [], status: only }: CauseSigns): boolean =>
    only === status ||
    codes.some((code) => said.startsWith(code)) ||
    texts.some((text) => patternOf(text).test(said));
  return causeSigns.find(fits)?.cause ?? otherCause;
}

const patterns = new Map<string, RegExp>();

function patternOf(text: string): RegExp {
  const pattern = patterns.get(text) ?? new RegExp(text.replaceAll("_", "."), "s");
  patterns.set(text, pattern);
  return pattern;
}
