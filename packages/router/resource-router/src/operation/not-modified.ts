import { headerValue } from "../answer/header-fields.ts";
import { isStream, openSource } from "../answer/stream.ts";
import { type Answer, plainJson } from "../answer/to-answer.ts";
import type { Context } from "./context.ts";
import { failedPrecondition, preconditionFailed, type Validators } from "./precondition.ts";

/**
 * The answer, or 304 if the caller already has it (RFC 9110, section 13.1).
 * @throws Problem 412: the caller asks for another version
 */
export function notModified(context: Context, answer: Answer): Answer {
  // Most answers have neither a tag nor a date; this avoids parsing the request's headers for them.
  if (answer.headers === plainJson || answer.status !== 200) return answer;
  if (context.method !== "GET" && context.method !== "HEAD") return answer;
  const item = validatorsOf(answer);
  if (item.tag === null && item.modified === null) return answer;
  const failed = failedPrecondition(context.headers, item);
  if (failed === null) return answer;
  if (isStream(answer.body)) openSource(answer.body).close();
  if (failed !== "if-none-match" && failed !== "if-modified-since")
    throw preconditionFailed(failed, item.tag);
  return { status: 304, headers: keptHeaders(answer.headers), body: null, headFirst: false };
}

export function validatorsOf({ headers }: Answer): Validators {
  return {
    tag: headerValue(headers, "etag") ?? null,
    modified: headerValue(headers, "last-modified") ?? null,
  };
}

/** A 304 does not describe the body that it omits (section 15.4.5). */
function keptHeaders(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = "", value = ""] = headers.slice(index, index + 2);
    if (name === "content-location" || !name.startsWith("content-")) kept.push(name, value);
  }
  return kept;
}
