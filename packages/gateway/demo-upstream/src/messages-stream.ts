import { type Exchange, firstCompletion } from "./exchange.ts";
import type { JsonObject } from "./json-object.ts";
import { messageEnd, messageHead, textBlock, toolBlock } from "./messages-answer.ts";

/** The events of a streamed message, one token each. */
export function* streamMessage(exchange: Exchange): Generator<string> {
  const { tokens, tool } = firstCompletion(exchange);
  const event = (type: string, members: JsonObject = {}): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
  const index = 0;
  yield event("message_start", { message: messageHead(exchange) });
  const content_block = tool === null ? textBlock("") : toolBlock(exchange, tool);
  yield event("content_block_start", { index, content_block });
  yield event("ping");
  for (const token of tokens) {
    const delta =
      tool === null
        ? { type: "text_delta", text: token }
        : { type: "input_json_delta", partial_json: token };
    yield event("content_block_delta", { index, delta });
  }
  yield event("content_block_stop", { index });
  const { usage, ...delta } = messageEnd(exchange);
  yield event("message_delta", { delta, usage });
  yield event("message_stop");
}
