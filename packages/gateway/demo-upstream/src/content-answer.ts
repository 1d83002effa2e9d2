import { callId, type Exchange } from "./exchange.ts";
import type { JsonObject } from "./json-object.ts";
import type { Completion } from "./model.ts";
import { tokenizePrompt } from "./tokens.ts";

const finishReasons = { stop: "STOP", length: "MAX_TOKENS", tool_calls: "STOP" } as const;

/** Google's `GenerateContentResponse`. */
export function writeContent(exchange: Exchange): JsonObject {
  const candidates = exchange.completions.map((completion, index) => ({
    content: { role: "model", parts: [writePart(exchange, completion, index)] },
    finishReason: finishReasons[completion.finish],
    index,
  }));
  return { candidates, ...contentEnd(exchange) };
}

/** One event for each token; a call comes whole. */
export function* streamContent(exchange: Exchange): Generator<string> {
  const chunks = exchange.completions.flatMap((completion, index) => {
    const { tool, tokens, finish } = completion;
    const parts =
      tool === null && tokens.length > 0
        ? tokens.map((text) => ({ text }))
        : [writePart(exchange, completion, index)];
    return parts.map((part, at) => ({
      content: { role: "model", parts: [part] },
      ...(at === parts.length - 1 ? { finishReason: finishReasons[finish] } : {}),
      index,
    }));
  });
  for (const [at, chunk] of chunks.entries()) {
    const { usageMetadata, ...head } = contentEnd(exchange);
    const usage = at === chunks.length - 1 ? { usageMetadata } : {};
    yield `data: ${JSON.stringify({ candidates: [chunk], ...usage, ...head })}\n\n`;
  }
}

/** The answer of `countTokens`. */
export const countContent = ({ prompt }: Exchange): JsonObject => ({
  totalTokens: tokenizePrompt(prompt).length,
});

function writePart(exchange: Exchange, { tool, tokens }: Completion, index: number): JsonObject {
  const text = tokens.join("");
  if (tool === null) return { text };
  return { functionCall: { id: callId(exchange, index), name: tool, args: parseArguments(text) } };
}

/** Arguments cut by a token limit are not JSON; the answer is then an empty object. */
function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function contentEnd({ prompt, completions, hash }: Exchange): JsonObject {
  const promptTokenCount = tokenizePrompt(prompt).length;
  const candidatesTokenCount = completions.reduce((sum, { tokens }) => sum + tokens.length, 0);
  return {
    usageMetadata: {
      promptTokenCount,
      candidatesTokenCount,
      totalTokenCount: promptTokenCount + candidatesTokenCount,
    },
    modelVersion: prompt.model,
    responseId: hash,
  };
}
