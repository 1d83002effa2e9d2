import { entityTag } from "../answer/entity-tag.ts";
import { addDefault, headerValue } from "../answer/header-fields.ts";
import { Problem } from "../answer/problem.ts";
import { isStream, openSource } from "../answer/stream.ts";
import type { Answer } from "../answer/to-answer.ts";
import type { Digest, Exchange, Operation, Run } from "./exchange.ts";
import { notModified, validatorsOf } from "./not-modified.ts";
import { failedPrecondition, preconditionFailed } from "./precondition.ts";
import { readyAnswer } from "./ready-answer.ts";

/** Of an operation that changes an item. */
const preconditions = ["if-match", "if-none-match", "if-unmodified-since"];

/** The answer, with an entity tag of its body if it is one to GET. */
export async function taggedAnswerTo(
  exchange: Exchange,
  operation: Operation,
  digest: Digest,
): Promise<Answer> {
  const answer = readyAnswer(exchange, operation, await operation.run(exchange));
  const isRead = exchange.method === "GET" || exchange.method === "HEAD";
  return notModified(exchange, isRead ? await tagged(answer, digest) : answer);
}

/**
 * With entity tags, an operation that changes an item runs only if the item is in the version that its caller names. Its
 * hooks run first: a caller without rights learns nothing about versions.
 * @param find the operation that finds the item, within its hooks
 */
export function ifCurrent(find: Operation, run: Run): Run {
  return (exchange) => {
    const { digest } = exchange;
    if (digest === null || !preconditions.some((name) => name in exchange.headers))
      return run(exchange);
    return runIfCurrent(exchange, find, run, digest);
  };
}

async function runIfCurrent(
  exchange: Exchange,
  find: Operation,
  run: Run,
  digest: Digest,
): Promise<unknown> {
  const result = await findResult(exchange, find);
  const answer = readyAnswer(exchange, find, result);
  const { status, body } = answer;
  const isMissing = status === 404 || status === 410;
  // `find` has refused the caller, or sends it elsewhere.
  if (!isMissing && (status < 200 || status > 299)) return result;
  if (isStream(body)) openSource(body).close();
  const item = isMissing ? null : validatorsOf(await tagged(answer, digest));
  const failed = failedPrecondition(exchange.headers, item);
  if (failed !== null && failed !== "if-modified-since")
    throw preconditionFailed(failed, item?.tag ?? null);
  return run(exchange);
}

/** A `Problem` that `find` throws counts as its result. */
async function findResult(exchange: Exchange, find: Operation): Promise<unknown> {
  try {
    return await find.run(exchange);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** The answer with a tag of its body, unless it has a tag or its body is a stream. */
async function tagged(answer: Answer, digest: Digest): Promise<Answer> {
  const { status, body } = answer;
  if (status !== 200 || body === null || isStream(body)) return answer;
  const headers = [...answer.headers];
  addDefault(headers, "etag", headerValue(headers, "etag") ?? entityTag(await digest(body)));
  return { ...answer, headers };
}
