import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { dataEvent } from "../streams/event-text.ts";

/** The chunks of one choice, without its index, in order; the last one has the rest of the choice. */
export type ChunksOfChoice = (choice: JsonObject) => readonly JsonObject[];

/**
 * Streams an answer with `choices` that was recorded whole: the chunks of each choice, its last chunk, and
 * the usage if the answer has one.
 * @param object the chunks' member `object`
 */
export function writeChoiceStream(
  { choices, usage, prompt_token_ids, ...members }: JsonObject,
  object: string,
  chunksOf: ChunksOfChoice,
): string {
  const own = Array.isArray(choices) ? choices.filter(isJsonObject) : [];
  const events: string[] = [];
  const ends: string[] = [];
  const add = (chunks: string[], chunk: JsonObject): void => {
    // Belongs to the prompt, so it is sent only once.
    const first = events.length + ends.length === 0 && prompt_token_ids !== undefined;
    const once = first ? { prompt_token_ids } : {};
    chunks.push(dataEvent({ ...members, object, ...chunk, ...once }));
  };
  for (const [position, choice] of own.entries()) {
    const index = choice.index ?? position;
    const chunks = chunksOf(choice).map((chunk) => ({ choices: [{ index, ...chunk }] }));
    for (const chunk of chunks.slice(0, -1)) add(events, chunk);
    for (const chunk of chunks.slice(-1)) add(ends, chunk);
  }
  // Usage is an object, or the null that some upstreams send.
  if (usage !== undefined) add(ends, { choices: [], usage });
  return [...events, ...ends, "data: [DONE]\n\n"].join("");
}
