import type { Answer } from "../call/answer.ts";
import { isCorsHeader } from "./cors-headers.ts";

/**
 * The headers of a relayed answer: names and values in turn.
 * @param own the gateway's own
 * @param requestIdHeaders headers with the request's id, used if the upstream sent none
 * @param length of the body, if it is known and the answer does not give it
 */
export function answerHead(
  answer: Answer,
  own: readonly string[],
  requestIdHeaders: readonly string[],
  length: number | null,
): string[] {
  const { headers, format } = answer;
  // The gateway decides which pages may read its answers. Given two such headers, a browser obeys neither.
  const ownCors = own.some(isCorsHeader);
  const head: string[] = [];
  let hasLength = false;
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? "";
    if (ownCors && isCorsHeader(name)) continue;
    if (name === "content-length") {
      // A stream's length may differ from the upstream's: comments and error events are added.
      if (format === "event_stream") continue;
      hasLength = true;
    }
    head.push(name, headers[index + 1] ?? "");
  }
  if (length !== null && !hasLength) head.push("content-length", String(length));
  if (answer.upstream === null || answer.upstream.request_id === null)
    head.push(...requestIdHeaders);
  for (const part of own) head.push(part);
  return head;
}
