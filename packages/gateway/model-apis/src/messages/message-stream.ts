import type { StreamOptions } from "../conversation/model-answer.ts";
import { writeJson } from "../json/exact-json.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { typedEvent } from "../streams/event-text.ts";

/** The events that a message is streamed as, in the order in which Anthropic's API sends them. */
export function writeMessageStream(answer: JsonObject, options: StreamOptions = {}): string[] {
  const { cut = (text) => [text] } = options;
  const { content, stop_reason = null, stop_sequence = null, usage } = answer;
  const { stop_details, container, context_management } = answer;
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  // A message's counts are cumulative, and it has no output yet.
  const begun = isJsonObject(usage) ? { usage: { ...usage, output_tokens: 0 } } : {};
  const message = { ...answer, content: [], stop_reason: null, stop_sequence: null, ...begun };
  return [
    typedEvent("message_start", { message }),
    typedEvent("ping", {}),
    ...blocks.flatMap((block, index) => writeBlock(block, index, cut)),
    // Undefined members are not written.
    typedEvent("message_delta", {
      delta: { stop_reason, stop_sequence, stop_details, container },
      usage,
      context_management,
    }),
    typedEvent("message_stop", {}),
  ];
}

function writeBlock(block: JsonObject, index: number, cut: Cut): string[] {
  const { begin, deltas } = openBlock(block, cut);
  return [
    typedEvent("content_block_start", { index, content_block: begin }),
    ...deltas.map((delta) => typedEvent("content_block_delta", { index, delta })),
    typedEvent("content_block_stop", { index }),
  ];
}

type Cut = NonNullable<StreamOptions["cut"]>;

const textDelta = (text: string): JsonObject => ({ type: "text_delta", text });
const thinkingDelta = (thinking: string): JsonObject => ({ type: "thinking_delta", thinking });

interface OpenBlock {
  /** The block before any delta. */
  readonly begin: JsonObject;
  readonly deltas: readonly JsonObject[];
}

/** The events that carry a block. A block of an unknown type is sent whole. */
export function openBlock(block: JsonObject, cut: Cut = (text) => [text]): OpenBlock {
  const { type, text, citations, thinking, signature, input } = block;
  if (type === "text" && typeof text === "string") {
    const cited = Array.isArray(citations) ? citations : [];
    const begin = { ...block, text: "", ...(cited.length > 0 ? { citations: [] } : {}) };
    const citing = cited.map((citation) => ({ type: "citations_delta", citation }));
    return { begin, deltas: [...citing, ...cut(text).map(textDelta)] };
  }
  if (type === "thinking" && typeof thinking === "string") {
    const isSigned = typeof signature === "string";
    const signing = isSigned ? [{ type: "signature_delta", signature }] : [];
    const begin = { ...block, thinking: "", ...(isSigned ? { signature: "" } : {}) };
    return { begin, deltas: [...cut(thinking).map(thinkingDelta), ...signing] };
  }
  if (isJsonObject(input) && Object.keys(input).length > 0) {
    const pieces = cut(writeJson(input)).map((partial_json) => {
      return { type: "input_json_delta", partial_json };
    });
    return { begin: { ...block, input: {} }, deltas: pieces };
  }
  return { begin: block, deltas: [] };
}
