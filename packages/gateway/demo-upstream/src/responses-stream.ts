import { type Exchange, firstCompletion } from "./exchange.ts";
import type { JsonObject } from "./json-object.ts";
import {
  outputItemId,
  responseHead,
  textLogprobs,
  writeOutputItem,
  writeResponse,
  writeTextPart,
} from "./responses-answer.ts";

/** The events of a streamed response, one token each. */
export function* streamResponse(exchange: Exchange): Generator<string> {
  const { tool, finish } = firstCompletion(exchange);
  const ending = finish === "length" ? "incomplete" : "completed";
  let sequence = 0;
  const event = ([type, members]: Event): string => {
    const data = { type, sequence_number: sequence++, ...members };
    return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  };

  const head = responseHead(exchange);
  yield event(["response.created", { response: head }]);
  yield event(["response.in_progress", { response: head }]);
  const opened = writeOutputItem(exchange, "in_progress");
  yield event(["response.output_item.added", { output_index: 0, item: opened }]);
  for (const inner of tool === null ? textEvents(exchange) : callEvents(exchange))
    yield event(inner);
  const closed = writeOutputItem(exchange, ending);
  yield event(["response.output_item.done", { output_index: 0, item: closed }]);
  yield event([`response.${ending}`, { response: writeResponse(exchange) }]);
}

type Event = readonly [type: string, members: JsonObject];

function* textEvents(exchange: Exchange): Generator<Event> {
  const { tokens } = firstCompletion(exchange);
  const place = { item_id: outputItemId(exchange), output_index: 0, content_index: 0 };
  const logprobs = (of: readonly string[]): JsonObject => ({
    logprobs: textLogprobs(exchange, of),
  });
  yield ["response.content_part.added", { ...place, part: writeTextPart(exchange, []) }];
  for (const delta of tokens) {
    yield ["response.output_text.delta", { ...place, delta, ...logprobs([delta]) }];
  }
  yield ["response.output_text.done", { ...place, text: tokens.join(""), ...logprobs(tokens) }];
  yield ["response.content_part.done", { ...place, part: writeTextPart(exchange, tokens) }];
}

function* callEvents(exchange: Exchange): Generator<Event> {
  const { tokens, tool } = firstCompletion(exchange);
  const place = { item_id: outputItemId(exchange), output_index: 0 };
  for (const delta of tokens) yield ["response.function_call_arguments.delta", { ...place, delta }];
  const given = tokens.join("");
  yield ["response.function_call_arguments.done", { ...place, name: tool, arguments: given }];
}
