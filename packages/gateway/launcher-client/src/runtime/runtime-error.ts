import type { SimulationResult } from "@proj/gateway-protocol";
import type { FailureKind } from "../answer/answer-failure.ts";

/**
 * `runtime_failed`: the result itself reports a failure. `runtime_not_started`: the command could not be started.
 * `runtime_exited`: it ended with a code other than 0, or by a signal. `runtime_lost`: the cluster ended it.
 * `runtime_bad_result`: its answer is not a
 * result of this simulation. `runtime_unreachable`: no connection was made. `runtime_broke_off`: the connection broke
 * after the request was sent, so the simulation may still be going on there. `runtime_refused`: an HTTP status that
 * is not a success.
 */
export type RuntimeErrorCode = `runtime_${FailureKind}` | "runtime_lost";

/**
 * A simulation failed in its runtime. The key to the model is masked wherever it occurred; there is no `cause`, which
 * might show it.
 */
export class RuntimeError extends Error {
  override readonly name = "RuntimeError";
  readonly code: RuntimeErrorCode;
  /** The last 4 KiB each of standard output and standard error, or of a server's answer; null: nothing. */
  readonly last_output: string | null;
  /** The result in which the runtime reported its failure (`runtime_failed`); null: it gave no valid result. */
  readonly result: SimulationResult | null;

  constructor(
    code: RuntimeErrorCode,
    message: string,
    {
      last_output = null,
      result = null,
    }: Partial<Pick<RuntimeError, "last_output" | "result">> = {},
  ) {
    super(message);
    this.code = code;
    this.last_output = last_output;
    this.result = result;
  }
}
