import { cutText } from "./pieces.ts";
import type {
  ResponseFunctionCall,
  ResponseItem,
  ResponseMessage,
  ResponseObject,
  ResponsePart,
  ResponseReasoning,
} from "./response-object.ts";

export interface ResponseStreamOptions {
  /** Characters in each delta. @default 5 */
  readonly pieceLength?: number;
  /** @default "\n" */
  readonly lineEnd?: "\n" | "\r\n" | "\r";
}

/** The events of a stream that ends with the response, one buffer each. */
export function responseStream(
  response: ResponseObject,
  options: ResponseStreamOptions = {},
): Buffer[] {
  const { pieceLength = 5, lineEnd = "\n" } = options;
  return [...streamEvents(response, pieceLength)].map(([type, members], sequence_number) => {
    const data = JSON.stringify({ type, sequence_number, ...members });
    return Buffer.from(`event: ${type}${lineEnd}data: ${data}${lineEnd}${lineEnd}`);
  });
}

type Event = readonly [type: string, members: object];

function* streamEvents(response: ResponseObject, pieceLength: number): Generator<Event> {
  const opened = {
    ...response,
    status: "in_progress",
    completed_at: null,
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
  };
  yield ["response.created", { response: opened }];
  yield ["response.in_progress", { response: opened }];
  for (const [output_index, item] of response.output.entries()) {
    yield ["response.output_item.added", { output_index, item: openItem(item) }];
    yield* itemEvents(item, { item_id: item.id, output_index }, pieceLength);
    yield ["response.output_item.done", { output_index, item }];
  }
  yield [`response.${response.status}`, { response }];
}

function openItem(item: ResponseItem): object {
  if (item.type === "reasoning") return { ...item, summary: [] };
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  return { ...item, status: "in_progress", arguments: "" };
}

function itemEvents(item: ResponseItem, place: object, pieceLength: number): Generator<Event> {
  if (item.type === "message") return messageEvents(item, place, pieceLength);
  if (item.type === "reasoning") return reasoningEvents(item, place, pieceLength);
  return callEvents(item, place, pieceLength);
}

function* messageEvents(
  item: ResponseMessage,
  within: object,
  pieceLength: number,
): Generator<Event> {
  for (const [content_index, part] of item.content.entries()) {
    const place = { ...within, content_index };
    yield ["response.content_part.added", { ...place, part: openPart(part) }];
    if (part.type === "refusal") {
      const { refusal } = part;
      for (const delta of cutText(refusal, pieceLength))
        yield ["response.refusal.delta", { ...place, delta }];
      yield ["response.refusal.done", { ...place, refusal }];
    } else {
      const { text, logprobs } = part;
      for (const delta of cutText(text, pieceLength)) {
        yield ["response.output_text.delta", { ...place, delta, logprobs: [] }];
      }
      yield ["response.output_text.done", { ...place, text, logprobs }];
    }
    yield ["response.content_part.done", { ...place, part }];
  }
}

function openPart(part: ResponsePart): object {
  return part.type === "refusal" ? { ...part, refusal: "" } : { ...part, text: "", logprobs: [] };
}

function* reasoningEvents(
  item: ResponseReasoning,
  within: object,
  pieceLength: number,
): Generator<Event> {
  for (const [summary_index, part] of item.summary.entries()) {
    const place = { ...within, summary_index };
    const { text } = part;
    yield ["response.reasoning_summary_part.added", { ...place, part: { ...part, text: "" } }];
    for (const delta of cutText(text, pieceLength)) {
      yield ["response.reasoning_summary_text.delta", { ...place, delta }];
    }
    yield ["response.reasoning_summary_text.done", { ...place, text }];
    yield ["response.reasoning_summary_part.done", { ...place, part }];
  }
}

function* callEvents(
  item: ResponseFunctionCall,
  place: object,
  pieceLength: number,
): Generator<Event> {
  for (const delta of cutText(item.arguments, pieceLength)) {
    yield ["response.function_call_arguments.delta", { ...place, delta }];
  }
  const { name, arguments: given } = item;
  yield ["response.function_call_arguments.done", { ...place, name, arguments: given }];
}
