import {
  chatHead,
  chatLogprobs,
  chatUsage,
  completionTokens,
  promptTokenIds,
  weightVersions,
} from "./chat-answer.ts";
import { callId, type Exchange } from "./exchange.ts";
import { isJsonObject, type JsonObject } from "./json-object.ts";
import type { Completion } from "./model.ts";
import { thinkingTokens, tokenId } from "./tokens.ts";

/** The events of a streamed chat completion, one token each; choices take turns. */
export function* streamChatCompletion(exchange: Exchange): Generator<string> {
  const { body, completions } = exchange;
  const options = body.stream_options;
  const usageWanted = isJsonObject(options) && options.include_usage === true;
  const tokenIds = body.return_token_ids === true;
  const head = {
    ...chatHead(exchange, "chat.completion.chunk"),
    ...(usageWanted ? { usage: null } : {}),
  };
  const event = (members: JsonObject): string =>
    `data: ${JSON.stringify({ ...head, ...members })}\n\n`;

  for (const [index, completion] of completions.entries()) {
    const ids = tokenIds && index === 0 ? { prompt_token_ids: promptTokenIds(exchange) } : {};
    const delta = openingDelta(exchange, completion, index);
    yield event({ choices: [{ index, delta, logprobs: null, finish_reason: null }], ...ids });
  }
  const written = completions.map(completionTokens);
  const longest = Math.max(...written.map(({ length }) => length));
  for (let position = 0; position < longest; position++) {
    for (const [index, completion] of completions.entries()) {
      const token = written[index]?.[position];
      if (token === undefined) continue;
      const choice = {
        index,
        delta: tokenDelta(completion, token, position),
        logprobs: chatLogprobs(exchange, completion, [token]),
        finish_reason: null,
        ...(tokenIds ? { token_ids: [tokenId(token)] } : {}),
      };
      yield event({ choices: [choice] });
    }
  }
  for (const [index, { finish }] of completions.entries()) {
    const choices = [{ index, delta: {}, logprobs: null, finish_reason: finish }];
    yield event({ choices, ...weightVersions(exchange) });
  }
  if (usageWanted) yield event({ choices: [], usage: chatUsage(exchange) });
  yield "data: [DONE]\n\n";
}

function openingDelta(exchange: Exchange, { tool }: Completion, choice: number): JsonObject {
  if (tool === null) return { role: "assistant", content: "", refusal: null };
  const id = callId(exchange, choice);
  const call = { index: 0, id, type: "function", function: { name: tool, arguments: "" } };
  return { role: "assistant", content: null, tool_calls: [call] };
}

/** The marks around thinking and tool calls are tokens without text. */
function tokenDelta({ thinking, tool }: Completion, token: string, position: number): JsonObject {
  const thought = thinkingTokens(thinking).length;
  if (position < thought) {
    return position === 0 || position === thought - 1 ? {} : { reasoning_content: token };
  }
  if (tool === null) return { content: token };
  return position === thought ? {} : { tool_calls: [{ index: 0, function: { arguments: token } }] };
}
