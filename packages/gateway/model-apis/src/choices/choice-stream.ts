import type { StreamOptions } from "../conversation/model-answer.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { dataEvent } from "../streams/event-text.ts";
import { TokenPieces } from "./token-pieces.ts";

/** The chunks of one choice, without its index, in order; the last one has the rest of the choice. */
export type ChunksOfChoice = (choice: JsonObject, pieces: TokenPieces) => readonly JsonObject[];

/**
 * The events that an answer with `choices` is streamed as: the chunks of the choices in turn, then the last
 * chunk of each, and the usage.
 * @param object the chunks' member `object`
 */
export function writeChoiceStream(
  { choices, usage, prompt_token_ids, ...members }: JsonObject,
  options: StreamOptions,
  object: string,
  chunksOf: ChunksOfChoice,
): string[] {
  const own = Array.isArray(choices) ? choices.filter(isJsonObject) : [];
  const announced = options.usage === true ? { usage: null } : {};
  const runs = own.map((choice, position) => {
    const index = choice.index ?? position;
    const chunks = chunksOf(choice, new TokenPieces(choice, position, options));
    return chunks.map((chunk) => ({ choices: [{ index, ...chunk }], ...announced }));
  });
  const longest = Math.max(0, ...runs.map(({ length }) => length - 1));
  const chunks: JsonObject[] = [];
  for (let turn = 0; turn < longest; turn++)
    for (const run of runs) if (turn < run.length - 1) chunks.push(run[turn] ?? {});
  for (const run of runs) chunks.push(...run.slice(-1));
  // Usage is an object, or the null that some upstreams send.
  if (usage !== undefined && options.usage !== false) chunks.push({ choices: [], usage });
  const events = chunks.map((chunk, at) => {
    // Belongs to the prompt, so it is sent only once.
    const once = at === 0 && prompt_token_ids !== undefined ? { prompt_token_ids } : {};
    return dataEvent({ ...members, object, ...chunk, ...once });
  });
  return [...events, "data: [DONE]\n\n"];
}
