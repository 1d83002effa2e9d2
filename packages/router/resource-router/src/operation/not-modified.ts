import { hasTag } from "../answer/entity-tag.ts";
import { headerValue } from "../answer/header-fields.ts";
import { isStream, openSource } from "../answer/stream.ts";
import { type Answer, plainJson } from "../answer/to-answer.ts";
import type { Context } from "./context.ts";

/** The answer, or 304 if the caller already has it (RFC 9110, sections 13.1.2 and 13.1.3). */
export function notModified(context: Context, answer: Answer): Answer {
  // Most answers have neither a tag nor a date; this avoids parsing the request's headers for them.
  if (answer.headers === plainJson || answer.status !== 200) return answer;
  if (context.method !== "GET" && context.method !== "HEAD") return answer;
  if (!isKnown(context, answer.headers)) return answer;
  if (isStream(answer.body)) openSource(answer.body).close();
  return { status: 304, headers: keptHeaders(answer.headers), body: null, headFirst: false };
}

function isKnown({ headers }: Context, answered: readonly string[]): boolean {
  const tag = headerValue(answered, "etag");
  const date = headerValue(answered, "last-modified");
  if (tag === undefined && date === undefined) return false;
  const tags = headers["if-none-match"];
  if (tags !== undefined) return tag !== undefined && hasTag(tags, tag);
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return date !== undefined && Date.parse(date) <= since;
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
