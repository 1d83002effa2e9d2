import { type Answer, toAnswer } from "../answer/to-answer.ts";
import type { Exchange, Operation } from "./exchange.ts";

/** @throws TypeError the result cannot be sent */
export function readyAnswer(exchange: Exchange, operation: Operation, result: unknown): Answer {
  const given = result === undefined || result === null ? operation.ifNone(result) : result;
  return toAnswer(given, exchange);
}
