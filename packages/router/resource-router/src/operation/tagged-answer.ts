import { entityTag } from "../answer/entity-tag.ts";
import { addDefault, headerValue } from "../answer/header-fields.ts";
import { Problem } from "../answer/problem.ts";
import { isStream, openSource } from "../answer/stream.ts";
import { type Answer, toAnswer } from "../answer/to-answer.ts";
import type { Digest, Exchange, Operation } from "./exchange.ts";
import { notModified } from "./not-modified.ts";
import { requireVersion } from "./precondition.ts";
import { readyAnswer } from "./ready-answer.ts";

/**
 * The answer, with an entity tag of its body. An operation that changes an item runs only if the item is in the
 * version that its caller names.
 */
export async function taggedAnswerTo(
  exchange: Exchange,
  operation: Operation,
  digest: Digest,
): Promise<Answer> {
  const { "if-match": match, "if-none-match": noneMatch } = exchange.headers;
  if (operation.find !== null && (match ?? noneMatch) !== undefined)
    requireVersion(exchange, await currentTag(exchange, operation.find, digest));
  const answer = readyAnswer(exchange, operation, await operation.run(exchange));
  return notModified(exchange, isRead(exchange) ? await tagged(answer, digest) : answer);
}

function isRead({ method }: Exchange): boolean {
  return method === "GET" || method === "HEAD";
}

/** The answer with a tag of its body, unless it has a tag or its body is a stream. */
async function tagged(answer: Answer, digest: Digest): Promise<Answer> {
  const { status, body } = answer;
  if (status !== 200 || body === null || isStream(body)) return answer;
  const headers = [...answer.headers];
  addDefault(headers, "etag", headerValue(headers, "etag") ?? entityTag(await digest(body)));
  return { ...answer, headers };
}

/** The tag that `find` would answer with now; null: there is no such item. */
async function currentTag(
  exchange: Exchange,
  find: Operation,
  digest: Digest,
): Promise<string | null> {
  const answer = await findAnswer(exchange, find);
  if (isStream(answer.body)) openSource(answer.body).close();
  if (answer.status === 404 || answer.status === 410) return null;
  // A stream without a tag may differ each time: an empty weak tag matches only `*`.
  return headerValue((await tagged(answer, digest)).headers, "etag") ?? 'W/""';
}

async function findAnswer(exchange: Exchange, find: Operation): Promise<Answer> {
  try {
    return readyAnswer(exchange, find, await find.run(exchange));
  } catch (error) {
    if (error instanceof Problem) return toAnswer(error, exchange);
    throw error;
  }
}
