import type { SecretMask } from "@proj/gateway-protocol";
import { type Answer, jsonAnswer } from "./answer.ts";

/** How to call a function. */
export interface FunctionOptions {
  /** Its name in messages. @default the function's own name */
  readonly name?: string;
  /** How long it may take to settle after an abort before we give up on it, in milliseconds. @default 5000 */
  readonly graceMs?: number;
}

const defaultGraceMs = 5_000;

export const describeFunction = (
  own: { readonly name: string },
  options: FunctionOptions,
): string => `function ${options.name ?? (own.name || "without a name")}`;

/**
 * Calls a function that the library's user supplied.
 * @throws AnswerFailure the return value is not JSON
 * @throws what the function throws, and the signal's reason
 */
export async function callFunction(
  call: () => unknown,
  { graceMs = defaultGraceMs }: FunctionOptions,
  { mask, signal }: { readonly mask: SecretMask; readonly signal: AbortSignal },
): Promise<Answer> {
  const value = await untilGivenUp(Promise.resolve().then(call), signal, graceMs);
  return jsonAnswer(value, mask, null);
}

/** An abort cannot stop a function: it is notified, and abandoned if it does not react. */
async function untilGivenUp<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const startGrace = (): void => {
    timer = setTimeout(() => reject(signal.reason), graceMs);
  };
  signal.addEventListener("abort", startGrace);
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    signal.removeEventListener("abort", startGrace);
    clearTimeout(timer);
  }
}
