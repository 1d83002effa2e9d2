import type { AnswerFacts } from "@proj/model-apis";
import { formOf, namesModel, readRequestBody } from "@proj/model-apis";
import { readUtterance, type Utterance, type UtterancePart } from "@proj/model-apis/conversation";
import { asBuffer, isJsonObject, redact } from "@proj/model-apis/json";
import type { Attributes } from "@proj/opentelemetry";
import type { Call } from "../call/call.ts";

/** Limit for the messages of each side, in characters of JSON; the oldest messages are dropped first. */
const longest = 64 * 1024;
/** A larger body is not parsed for this. */
const maxBytes = 4 * 1024 * 1024;

/** The messages in the conventions' form, always redacted, whatever the setting for rows is. */
export function contentAttributes(
  { recorded, endpoint }: Pick<Call, "recorded" | "endpoint">,
  facts: AnswerFacts | null,
): Attributes {
  const form = formOf(endpoint.name);
  return {
    "gen_ai.input.messages": attempt(() => {
      if (recorded.bytes.length > maxBytes) return undefined;
      const body = readRequestBody(
        asBuffer(redact(recorded.bytes)),
        endpoint.history,
        null,
        namesModel(endpoint) ? { model: "", stream: false } : null,
      );
      const history = body.bytes.toString("utf8", body.messages_start, body.messages_end);
      return history === ""
        ? undefined
        : messagesJson(form.messagesOf(history).map((text) => readUtterance(JSON.parse(text))));
    }),
    "gen_ai.output.messages": attempt(() => {
      if (facts === null || facts.text === null || facts.text.length > maxBytes) return undefined;
      const answer: unknown = JSON.parse(asBuffer(redact(facts.text)).toString());
      const said = isJsonObject(answer) ? form.answersOf(answer) : null;
      return said === null ? undefined : messagesJson(said, facts.finish_reason ?? "");
    }),
  };
}

/** Undefined if it throws: what an agent or an upstream sends may have any form. */
function attempt(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function messagesJson(utterances: readonly Utterance[], finish_reason?: string): string {
  const messages: string[] = [];
  let length = 2;
  for (const { role, parts } of utterances.toReversed()) {
    const json = JSON.stringify({ role, parts: parts.map(partOf), finish_reason });
    length += json.length + 1;
    if (length > longest) break;
    messages.unshift(json);
  }
  return `[${messages.join()}]`;
}

function partOf(part: UtterancePart): object {
  switch (part.kind) {
    case "text":
    case "refusal":
      return { type: "text", content: part.text };
    case "reasoning":
      return { type: "reasoning", content: part.text };
    case "tool_call":
      return { type: "tool_call", id: part.call_id, name: part.name, arguments: part.arguments };
    case "tool_result":
      return { type: "tool_call_response", id: part.call_id, response: part.text };
    case "image":
    case "other":
      return { type: part.type };
  }
}
