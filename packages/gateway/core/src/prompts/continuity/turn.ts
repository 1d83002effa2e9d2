import type { ChatMessage } from "@proj/model-apis";

/** A prompt as a row keeps it: what it adds to the turn before it. */
export interface PromptIds {
  /** The turn that it continues; null: it was rendered whole. */
  readonly parent: Turn | null;
  readonly added: Int32Array;
  /** How many ids there are in all. */
  readonly length: number;
  /** The added ids in JSON, without brackets: a step writes only what is new. */
  readonly text: string;
}

/** One answered call of an engine, which later calls can continue. */
export interface Turn {
  /** The step's `request_id`. */
  readonly request_id: string;
  readonly prompt: PromptIds;
  readonly sampled: Int32Array;
  /** The sampled ids, as in `PromptIds.text`. */
  readonly text: string;
  readonly answer: ChatMessage;
  /** Why nothing may continue it; null if its end is the model's own. */
  readonly cut: string | null;
  /** Keys of the messages of its request, as long as a break may be explained by it. */
  messages: readonly string[];
  readonly tools: string;
  /** The id of the subagent that asked; null: the agent itself, or one without an id. */
  readonly agent: string | null;
}

export function promptIds(parent: Turn | null, added: Int32Array): PromptIds {
  const before = parent === null ? 0 : parent.prompt.length + parent.sampled.length;
  return {
    parent,
    added,
    length: before + added.length,
    text: added.join(","),
  };
}

/** A prompt with what was sampled behind it, for the engine to go on. */
export function resumedPrompt(prompt: PromptIds, sampled: readonly number[]): PromptIds {
  const added = Int32Array.from([...prompt.added, ...sampled]);
  return { ...prompt, added, length: prompt.length + sampled.length, text: added.join(",") };
}

/** All ids of a prompt in JSON, without brackets and without the commas between these parts. */
export function promptTexts(prompt: PromptIds): readonly string[] {
  const texts: string[] = [];
  for (let part: PromptIds | null = prompt; part !== null; ) {
    const { text, parent }: PromptIds = part;
    texts.push(text);
    if (parent !== null) texts.push(parent.text);
    part = parent?.prompt ?? null;
  }
  return texts.reverse().filter((text) => text !== "");
}

/** Whether two turns have the same prompt and the same answer, token for token. */
export const haveSameIds = (one: Turn, other: Turn): boolean => textOf(one) === textOf(other);

const textOf = (turn: Turn): string => promptTexts(promptIds(turn, noIds)).join(",");

const noIds = new Int32Array();

/** All ids of a prompt. */
export function wholePrompt(prompt: PromptIds): Int32Array {
  const ids = new Int32Array(prompt.length);
  let end = prompt.length;
  for (let part: PromptIds | null = prompt; part !== null; ) {
    end -= part.added.length;
    ids.set(part.added, end);
    const { parent }: PromptIds = part;
    if (parent !== null) {
      end -= parent.sampled.length;
      ids.set(parent.sampled, end);
    }
    part = parent?.prompt ?? null;
  }
  return ids;
}
