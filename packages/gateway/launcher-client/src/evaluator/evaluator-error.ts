import type { FailureKind } from "../answer/answer-failure.ts";

/**
 * `evaluator_failed`: the function threw. `evaluator_not_started`: the command could not be started.
 * `evaluator_exited`: it ended with a code other than 0, or by a signal. `evaluator_bad_result`: its answer is not a
 * finite score. `evaluator_unreachable`: no connection was made. `evaluator_broke_off`: the connection broke after
 * the request was sent. `evaluator_refused`: an HTTP status that is not a success. `no_total_reward`: the runtime's
 * result has none. `steps_unreadable`: the steps could not be read; the cause is the storage's error.
 */
export type EvaluatorErrorCode =
  | `evaluator_${FailureKind}`
  | "no_total_reward"
  | "steps_unreadable";

/** A simulation could not be judged. */
export class EvaluatorError extends Error {
  override readonly name = "EvaluatorError";
  readonly code: EvaluatorErrorCode;
  /** The last 4 KiB each of standard output and standard error, or of a server's answer; null: nothing. */
  readonly last_output: string | null;

  constructor(
    code: EvaluatorErrorCode,
    message: string,
    { last_output = null, cause }: { last_output?: string | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.last_output = last_output;
  }
}
