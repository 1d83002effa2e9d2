import type { IncomingMessage } from "node:http";
import { Problem } from "../answer/problem.ts";
import { type Answer, toAnswer } from "../answer/to-answer.ts";
import { answerTo } from "../operation/answer-to.ts";
import { type ErrorListener, tell } from "../operation/error-listener.ts";
import type { Operation } from "../operation/exchange.ts";
import type { NodeExchange } from "./node-exchange.ts";
import { sendAnswer } from "./send-answer.ts";

export type NodeErrorListener = ErrorListener<IncomingMessage>;

/**
 * Answers with what an operation returns or throws. An error that is not a `Problem` is answered 500, which
 * says nothing of it, and told to `onError`; if the answer has begun, the connection is cut.
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
  // This is how an operation says that it has heard of the caller's leaving.
  if (response.destroyed && error instanceof Error && error.name === "AbortError") return;
  // What was written in this turn is still to be handed to the socket.
  if (response.headersSent) setImmediate(() => response.destroy());
  else if (error instanceof Problem) {
    sendProblem(exchange, error, onError);
    return;
  } else sendAnswer(exchange, toAnswer(new Problem(500), exchange));
  tell(onError, error, request);
}

/** A problem whose members or headers cannot be sent is an error too. */
function sendProblem(exchange: NodeExchange, problem: Problem, onError: NodeErrorListener): void {
  try {
    sendAnswer(exchange, toAnswer(problem, exchange));
  } catch (error) {
    sendAnswer(exchange, toAnswer(new Problem(500), exchange));
    tell(onError, error, exchange.request);
  }
}
