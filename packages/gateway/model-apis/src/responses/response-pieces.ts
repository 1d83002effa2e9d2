import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** Where a kind of event puts its text in the item. */
interface TextPlace {
  /** The item's member that holds the text, or the parts that hold it. */
  readonly member: string;
  /** The part's type and member, if the text belongs to a part. */
  readonly part?: { readonly type: string; readonly member: string; readonly index: string };
}

const contentPart = (type: string, member: string): TextPlace => ({
  member: "content",
  part: { type, member, index: "content_index" },
});

/**
 * By the event's type without `.delta` (which carries `delta`) or `.done` (which carries the whole text,
 * under the member's name).
 */
const textPlaces: ReadonlyMap<string, TextPlace> = new Map<string, TextPlace>([
  ["response.output_text", contentPart("output_text", "text")],
  ["response.refusal", contentPart("refusal", "refusal")],
  ["response.reasoning_text", contentPart("reasoning_text", "text")],
  [
    "response.reasoning_summary_text",
    { member: "summary", part: { type: "summary_text", member: "text", index: "summary_index" } },
  ],
  ["response.function_call_arguments", { member: "arguments" }],
  ["response.mcp_call_arguments", { member: "arguments" }],
  ["response.custom_tool_call_input", { member: "input" }],
  ["response.code_interpreter_call_code", { member: "code" }],
]);

/** Whole values, by the event's type without `.added` or `.done`. */
const wholes: ReadonlyMap<string, (event: JsonObject) => JsonObject | null> = new Map([
  ["response.output_item", wholeItem],
  ["response.content_part", (event) => wholePart(event, "content", event.content_index)],
  ["response.reasoning_summary_part", (event) => wholePart(event, "summary", event.summary_index)],
  ["response.output_text.annotation", annotation],
]);

/** Whether the event is about an item and `itemPiece` understands it. */
export function isItemEvent(type: string): boolean {
  const subject = type.slice(0, type.lastIndexOf("."));
  return textPlaces.has(subject) || wholes.has(subject);
}

/** What an event adds to its item, in the item's own form; `index` tells items and parts apart. */
export function itemPiece(type: string, event: JsonObject): JsonObject | null {
  const dot = type.lastIndexOf(".");
  const subject = type.slice(0, dot);
  const place = textPlaces.get(subject);
  const piece =
    place === undefined
      ? wholes.get(subject)?.(event)
      : textPiece(place, event, type.endsWith(".delta"));
  if (!piece) return null;
  return { id: event.item_id ?? null, ...piece, index: event.output_index };
}

function textPiece({ member, part }: TextPlace, event: JsonObject, isDelta: boolean): JsonObject {
  if (part === undefined) return { [member]: isDelta ? event.delta : event[member] };
  const text = isDelta ? event.delta : event[part.member];
  const { logprobs } = event;
  const piece: JsonObject = { index: event[part.index], type: part.type, [part.member]: text };
  if (logprobs !== undefined) piece.logprobs = logprobs;
  return { [member]: [piece] };
}

function wholeItem({ item }: JsonObject): JsonObject | null {
  if (!isJsonObject(item)) return null;
  const whole = { ...item };
  for (const member of ["content", "summary"]) {
    const parts = whole[member];
    if (Array.isArray(parts)) whole[member] = parts.map(withPosition);
  }
  return whole;
}

function withPosition(part: unknown, index: number): unknown {
  return isJsonObject(part) ? { ...part, index } : part;
}

function wholePart({ part }: JsonObject, member: string, index: unknown): JsonObject | null {
  return isJsonObject(part) ? { [member]: [{ ...part, index }] } : null;
}

function annotation(event: JsonObject): JsonObject {
  return { content: [{ index: event.content_index, annotations: [event.annotation] }] };
}
