import type { Answer } from "../answer/to-answer.ts";
import type { Exchange, Operation } from "./exchange.ts";
import { notModified } from "./not-modified.ts";
import { readyAnswer } from "./ready-answer.ts";
import { taggedAnswerTo } from "./tagged-answer.ts";

/**
 * The answer to what an operation returns; a promise only if something must be awaited.
 * @throws the operation's error, a `Problem` included, and TypeError for a result that cannot be sent
 */
export function answerTo(exchange: Exchange, operation: Operation): Answer | Promise<Answer> {
  if (exchange.digest !== null) return taggedAnswerTo(exchange, operation, exchange.digest);
  const result = operation.run(exchange);
  return isPromiseLike(result)
    ? laterAnswerTo(exchange, operation, result)
    : notModified(exchange, readyAnswer(exchange, operation, result));
}

async function laterAnswerTo(
  exchange: Exchange,
  operation: Operation,
  result: PromiseLike<unknown>,
): Promise<Answer> {
  return notModified(exchange, readyAnswer(exchange, operation, await result));
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
