import type { SecretMask } from "@proj/gateway-protocol";
import { shorten } from "./shorten.ts";

/**
 * `failed`: it says so itself. `not_started`: the command could not be started. `exited`: the command
 * ended with a code other than 0, or by a signal. `bad_result`: what it answered is not what was asked
 * for. `unreachable`: no connection was made. `broke_off`: the connection broke after the request was
 * sent, so the work may go on there. `refused`: an HTTP status that is not a success.
 */
export type FailureKind =
  | "failed"
  | "not_started"
  | "exited"
  | "bad_result"
  | "unreachable"
  | "broke_off"
  | "refused";

/**
 * Why a function, a command or an endpoint gave no answer; becomes a RuntimeError or an
 * EvaluatorError. The message completes a sentence that begins with the description of what was asked.
 */
export class AnswerFailure extends Error {
  override readonly name = "AnswerFailure";
  readonly kind: FailureKind;
  readonly last_output: string | null;

  constructor(
    kind: FailureKind,
    message: string,
    last_output: string | null = null,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.kind = kind;
    this.last_output = last_output;
  }
}

/** What else was thrown counts as a failure of what was asked; its stack is the last that was heard of it. */
export function asFailure(error: unknown, mask: SecretMask): AnswerFailure {
  if (error instanceof AnswerFailure) return error;
  const { message, stack = null } = error instanceof Error ? error : new Error(String(error));
  const last_output = stack === null ? null : mask.apply(stack);
  return new AnswerFailure("failed", `failed: ${shorten(mask.apply(message))}`, last_output, error);
}
