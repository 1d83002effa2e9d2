import type { IncomingMessage } from "node:http";
import { Problem } from "../answer/problem.ts";
import { isStream } from "../answer/stream.ts";
import { type Answer, toAnswer } from "../answer/to-answer.ts";
import { answerTo } from "../operation/answer-to.ts";
import { type ErrorListener, tell } from "../operation/error-listener.ts";
import type { Operation } from "../operation/exchange.ts";
import type { NodeExchange } from "./node-exchange.ts";
import { sendStream } from "./send-stream.ts";
import { sendWhole } from "./send-whole.ts";

export type NodeErrorListener = ErrorListener<IncomingMessage>;

/**
 * Answers with what an operation returns or throws. An error that is not a `Problem` is answered 500 without details,
 * and passed to `onError`; if the answer has begun, the connection is cut.
 */
export function serve(
  exchange: NodeExchange,
  operation: Operation,
  onError: NodeErrorListener,
): void {
  try {
    const answer = answerTo(exchange, operation);
    const sending =
      answer instanceof Promise ? sendLater(exchange, answer) : sendAnswer(exchange, answer);
    sending?.catch((error: unknown) => fail(exchange, error, onError));
  } catch (error) {
    fail(exchange, error, onError);
  }
}

async function sendLater(exchange: NodeExchange, answer: Promise<Answer>): Promise<void> {
  await sendAnswer(exchange, await answer);
}

function fail(exchange: NodeExchange, error: unknown, onError: NodeErrorListener): void {
  const { request, response } = exchange;
  // An operation that noticed that the caller disconnected fails like this.
  if (response.destroyed && error instanceof Error && error.name === "AbortError") return;
  // Chunks written in this turn must still reach the socket.
  if (response.headersSent) setImmediate(() => response.destroy());
  else if (error instanceof Problem) {
    sendProblem(exchange, error, onError);
    return;
  } else sendAnswer(exchange, toAnswer(new Problem(500), exchange));
  tell(onError, error, request);
}

/** A problem whose members or headers cannot be sent is passed to `onError` too. */
function sendProblem(exchange: NodeExchange, problem: Problem, onError: NodeErrorListener): void {
  try {
    sendAnswer(exchange, toAnswer(problem, exchange));
  } catch (error) {
    sendAnswer(exchange, toAnswer(new Problem(500), exchange));
    tell(onError, error, exchange.request);
  }
}

/** Resolves when a stream has been sent, and rejects when it fails; undefined if there is nothing to await. */
function sendAnswer(exchange: NodeExchange, answer: Answer): Promise<void> | undefined {
  const { status, headers, body } = answer;
  if (isStream(body)) return sendStream(exchange, { ...answer, body });
  sendWhole(exchange, status, headers, body);
  return undefined;
}
