import type { IncomingMessage } from "node:http";
import type { FullContext } from "../exchange/context.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Problem } from "./problem.ts";
import { type Sending, sendResult } from "./send-result.ts";

export interface Operation {
  readonly run: (context: FullContext) => unknown;
  /** The result where it gives none. */
  readonly nothing: () => unknown;
}

export type ErrorListener = (error: unknown, request: IncomingMessage) => void;

/**
 * Answers with what an operation gives or throws. Its errors are answered 500, which says nothing of
 * them, and told to `onError`; where the answer has begun, the connection is cut.
 */
export function answer(exchange: Exchange, operation: Operation, onError: ErrorListener): void {
  try {
    const sending = send(exchange, operation, operation.run(exchange));
    sending?.catch((error: unknown) => fail(exchange, error, onError));
  } catch (error) {
    fail(exchange, error, onError);
  }
}

function send(exchange: Exchange, operation: Operation, result: unknown): Sending {
  if (isPromiseLike(result)) return sendLater(exchange, operation, result);
  return sendResult(exchange, result === undefined ? operation.nothing() : result);
}

async function sendLater(
  exchange: Exchange,
  operation: Operation,
  result: PromiseLike<unknown>,
): Promise<void> {
  await send(exchange, operation, await result);
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}

function fail(exchange: Exchange, error: unknown, onError: ErrorListener): void {
  const { request, response } = exchange;
  // So an operation says that it has heard of the caller's leaving.
  if (response.destroyed && error instanceof Error && error.name === "AbortError") return;
  if (response.headersSent) {
    response.destroy();
    onError(error, request);
    return;
  }
  const failed = error instanceof Problem ? attemptToSend(exchange, error) : error;
  if (failed === null) return;
  sendResult(exchange, new Problem(500));
  onError(failed, request);
}

/** Null, or the error for which a problem's members or headers cannot be sent. */
function attemptToSend(exchange: Exchange, problem: Problem): unknown {
  try {
    sendResult(exchange, problem);
    return null;
  } catch (error) {
    return error;
  }
}
