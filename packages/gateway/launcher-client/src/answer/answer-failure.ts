import type { SecretMask } from "@proj/gateway-protocol";

/**
 * `failed`: the answer itself reports a failure. `not_started`: the command could not be started. `exited`: the
 * command ended with a code other than 0, or by a signal. `bad_result`: the answer is not of the required form.
 * `unreachable`: no connection was made. `broke_off`: the connection broke after the request was sent, so the work
 * may still be going on there. `refused`: an HTTP status that is not a success.
 */
export type FailureKind =
  | "failed"
  | "not_started"
  | "exited"
  | "bad_result"
  | "unreachable"
  | "broke_off"
  | "refused";

/** The longest message of an agent that becomes part of an error, in characters. */
const maxSaid = 8_000;

/**
 * Why a function, a command or an endpoint gave no answer; becomes a RuntimeError or an EvaluatorError. The message
 * is the predicate of a sentence that begins with the description of what was asked.
 */
export class AnswerFailure extends Error {
  override readonly name = "AnswerFailure";
  readonly kind: FailureKind;
  readonly last_output: string | null;
  /** Its own words about what went wrong, masked; null: none are known. */
  readonly said: string | null;

  constructor(
    kind: FailureKind,
    message: string,
    last_output: string | null = null,
    { cause, said = null }: { readonly cause?: unknown; readonly said?: string | null } = {},
  ) {
    super(message, { cause });
    this.said = said;
    this.kind = kind;
    this.last_output = last_output;
  }
}

/** Any other thrown value counts as a failure of what was asked; its stack becomes the last output. */
export function asFailure(error: unknown, mask: SecretMask): AnswerFailure {
  if (error instanceof AnswerFailure) return error;
  const { message, stack = null } = error instanceof Error ? error : new Error(String(error));
  const last_output = stack === null ? null : mask.apply(stack);
  return new AnswerFailure("failed", "failed", last_output, {
    cause: error,
    said: mask.apply(message),
  });
}

/** What went wrong, in the own words of what was asked if there are any, and then what happened. */
export const failureText = (description: string, { message, said }: AnswerFailure): string =>
  said === null ? `${description} ${message}` : quoted(said, `${description} ${message}`);

/** Somebody's own words, whole, before what is known of how they came. */
export const quoted = (said: string, how: string): string =>
  `${said.trim().slice(0, maxSaid)} (${how})`;
