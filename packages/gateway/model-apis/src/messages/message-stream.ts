import { writeJson } from "../json/exact-json.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { typedEvent } from "../streams/event-text.ts";

/** Streams a message that was recorded whole, in the order in which Anthropic's API sends one. */
export function writeMessageStream(answer: JsonObject): string {
  const { content, stop_reason = null, stop_sequence = null, usage } = answer;
  const { stop_details, container, context_management } = answer;
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  // A message's counts are cumulative, and it has no output yet.
  const begun = isJsonObject(usage) ? { usage: { ...usage, output_tokens: 0 } } : {};
  const message = { ...answer, content: [], stop_reason: null, stop_sequence: null, ...begun };
  return [
    typedEvent("message_start", { message }),
    ...blocks.map(writeBlock),
    // Undefined members are not written.
    typedEvent("message_delta", {
      delta: { stop_reason, stop_sequence, stop_details, container },
      usage,
      context_management,
    }),
    typedEvent("message_stop", {}),
  ].join("");
}

function writeBlock(block: JsonObject, index: number): string {
  const { begin, deltas } = openBlock(block);
  return [
    typedEvent("content_block_start", { index, content_block: begin }),
    ...deltas.map((delta) => typedEvent("content_block_delta", { index, delta })),
    typedEvent("content_block_stop", { index }),
  ].join("");
}

interface OpenBlock {
  /** The block before any delta. */
  readonly begin: JsonObject;
  readonly deltas: readonly JsonObject[];
}

/** The events that carry a block. A block of an unknown type is sent whole. */
function openBlock(block: JsonObject): OpenBlock {
  const { type, text, citations, thinking, signature, input } = block;
  if (type === "text" && typeof text === "string") {
    const cited = Array.isArray(citations) ? citations : [];
    const begin = { ...block, text: "", ...(cited.length > 0 ? { citations: [] } : {}) };
    const citing = cited.map((citation) => ({ type: "citations_delta", citation }));
    return { begin, deltas: [...citing, { type: "text_delta", text }] };
  }
  if (type === "thinking" && typeof thinking === "string") {
    const isSigned = typeof signature === "string";
    const signing = isSigned ? [{ type: "signature_delta", signature }] : [];
    const begin = { ...block, thinking: "", ...(isSigned ? { signature: "" } : {}) };
    return { begin, deltas: [{ type: "thinking_delta", thinking }, ...signing] };
  }
  if (isJsonObject(input) && Object.keys(input).length > 0) {
    const delta = { type: "input_json_delta", partial_json: writeJson(input) };
    return { begin: { ...block, input: {} }, deltas: [delta] };
  }
  return { begin: block, deltas: [] };
}
