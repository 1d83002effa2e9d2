import type { StreamOptions } from "../conversation/model-answer.ts";
import { isJsonObject, type JsonObject, objectOf } from "../json/json-object.ts";
import { dataEvent } from "../streams/event-text.ts";

/**
 * The events that an answer is streamed as, each an answer with some of the parts: the last one of a candidate has its
 * finish reason, and the last of all the usage.
 */
export function writeContentStream(answer: JsonObject, options: StreamOptions = {}): string[] {
  const { candidates, usageMetadata, ...members } = answer;
  const { cut = (text) => [text] } = options;
  const chunks = (Array.isArray(candidates) ? candidates : [])
    .filter(isJsonObject)
    .flatMap((candidate, at) => candidateChunks(candidate, at, cut));
  if (chunks.length === 0) return [dataEvent(answer)];
  const usage = usageMetadata === undefined ? {} : { usageMetadata };
  return chunks.map((chunk, at) =>
    dataEvent({ candidates: [chunk], ...(at === chunks.length - 1 ? usage : {}), ...members }),
  );
}

function candidateChunks(
  { content, ...candidate }: JsonObject,
  at: number,
  cut: NonNullable<StreamOptions["cut"]>,
): JsonObject[] {
  const { parts, ...rest } = objectOf(content);
  const pieces = (Array.isArray(parts) ? parts : []).flatMap((part) => partPieces(part, cut));
  if (pieces.length === 0) return [content === undefined ? candidate : { content, ...candidate }];
  const { index = at } = candidate;
  const last = pieces.length - 1;
  return pieces.map((piece, each) => {
    const said = { content: { parts: [piece], ...rest } };
    return each === last ? { ...said, ...candidate, index } : { ...said, index };
  });
}

/** A signature is of the whole text, and comes with its end. */
function partPieces(part: unknown, cut: NonNullable<StreamOptions["cut"]>): unknown[] {
  if (!isJsonObject(part) || typeof part.text !== "string" || part.text === "") return [part];
  const { text, thoughtSignature, ...kind } = part;
  const signed = thoughtSignature === undefined ? {} : { thoughtSignature };
  const texts = cut(text);
  return texts.map((piece, at) => {
    return { text: piece, ...kind, ...(at === texts.length - 1 ? signed : {}) };
  });
}
