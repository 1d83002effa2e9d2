import type { SecretMask } from "@proj/gateway-protocol";
import { type Answer, jsonAnswer } from "./answer.ts";

/** How a function is called. */
export interface FunctionOptions {
  /** What it is called in messages. @default the function's own name */
  readonly name?: string;
  /** Milliseconds that it has to settle after an abort, before it is given up. @default 5000 */
  readonly graceMs?: number;
}

const defaultGraceMs = 5_000;

export const describeFunction = (
  own: { readonly name: string },
  options: FunctionOptions,
): string => `function ${options.name ?? (own.name || "without a name")}`;

/**
 * Asks a function of the library's user.
 * @throws AnswerFailure what it answered is not JSON
 * @throws what it throws, and the signal's reason
 */
export async function callFunction(
  call: () => unknown,
  { graceMs = defaultGraceMs }: FunctionOptions,
  { mask, signal }: { readonly mask: SecretMask; readonly signal: AbortSignal },
): Promise<Answer> {
  const value = await untilGivenUp(Promise.resolve().then(call), signal, graceMs);
  return jsonAnswer(value, mask, null);
}

/** An abort cannot end a function: it is told, and given up where it does not listen. */
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
