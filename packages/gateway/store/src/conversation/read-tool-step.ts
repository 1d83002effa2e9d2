import { formOf } from "@proj/model-apis";
import {
  type ConversationForm,
  parsedObject,
  readUtterance,
  type UtterancePart,
} from "@proj/model-apis/conversation";
import type { StoredRow } from "../store-browser.ts";
import type { ToolCall, ToolResult, ToolStep } from "../tool-step.ts";
import { endOfArray } from "./cut-array.ts";

type ToolRow = Pick<
  StoredRow,
  "status_code" | "meta_json" | "messages_base" | "response" | "messages"
>;

/** What a row says about tools. */
export function toolStepOf(row: ToolRow): ToolStep {
  const meta = parsedObject(row.meta_json);
  const form = formOf(meta.endpoint);
  const asked_ms = typeof meta.started_at === "string" ? Date.parse(meta.started_at) : Number.NaN;
  const answered_ms =
    asked_ms + Number(meta.queue_ms ?? 0) + Number(meta.upstream_ms ?? Number.NaN);
  return {
    asked_ms: finite(asked_ms),
    answered_ms: finite(answered_ms),
    calls: row.status_code === 200 ? callsIn(form, row.response) : [],
    results: resultsIn(form, row),
  };
}

function callsIn(form: ConversationForm, response: string | null): readonly ToolCall[] {
  const said = form.answersOf(parsedObject(response)) ?? [];
  return said
    .flatMap(({ parts }) => parts)
    .flatMap((part) =>
      part.kind === "tool_call" ? [{ call_id: part.call_id ?? part.name, name: part.name }] : [],
    );
}

function resultsIn(form: ConversationForm, { messages, messages_base }: ToolRow) {
  if (messages === null) return [];
  return partsIn(form, messages, messages_base === null).flatMap((part): ToolResult[] =>
    part.kind === "tool_result" && part.call_id !== null
      ? [
          {
            call_id: part.call_id,
            is_error: part.is_error || form.marksFailures ? part.is_error : null,
          },
        ]
      : [],
  );
}

/** @param isWhole otherwise it has only what follows the bytes of another row, which may end inside a message */
function partsIn(
  form: ConversationForm,
  messages: string,
  isWhole: boolean,
): readonly UtterancePart[] {
  try {
    const texts = form.messagesOf(isWhole ? messages : endOfArray(messages));
    return texts.flatMap((text) => readUtterance(JSON.parse(text)).parts);
  } catch {
    // Anything may have been stored.
    return [];
  }
}

const finite = (ms: number): number | null => (Number.isFinite(ms) ? ms : null);
