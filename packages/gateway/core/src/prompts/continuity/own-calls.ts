import type { ChatMessage, ChatToolCall } from "@proj/model-apis";
import { isJsonObject } from "@proj/model-apis/json";
import { saidBy } from "./message-keys.ts";
import { haveSameIds, type Turn } from "./turn.ts";

/** Where an answer is looked for. */
export interface GivenAnswers {
  /** Whether the session has given an answer of this key. */
  readonly isAnswer: (key: string) => boolean;
  /** The turns that answered the conversation of this key. */
  readonly behind: (beginning: string) => readonly Turn[];
}

interface Known {
  /** The key of the messages before it. */
  readonly before: string;
  readonly message: ChatMessage;
}

/**
 * Gives calls and their results the ids that the session gave the calls. Some agents number calls themselves, cut long
 * ids off or send none: then an answer is known by its calls' names and arguments.
 */
export class OwnCalls {
  readonly #answers: GivenAnswers;
  /** By the agent's message: a step repeats those of the step before it. */
  readonly #known = new WeakMap<ChatMessage, Known>();

  constructor(answers: GivenAnswers) {
    this.#answers = answers;
  }

  /**
   * @param key of the message as the agent wrote it
   * @returns null: several answers fit, with different tokens
   */
  answer(message: ChatMessage, before: string, key: string): ChatMessage | null {
    const { tool_calls: given } = message;
    if (given === undefined || this.#answers.isAnswer(key)) return message;
    const known = this.#known.get(message);
    if (known?.before === before) return known.message;
    const turns = this.#answers.behind(before);
    const fitting = turns.filter(({ answer }) => haveSameCalls(answer.tool_calls, given));
    const same = fitting.filter(({ answer }) => textOf(answer) === textOf(message));
    const [turn, ...others] = same.length === 0 ? fitting : same;
    if (turn === undefined) return message;
    if (!others.every((other) => haveSameIds(other, turn))) return null;
    const { tool_calls = [] } = turn.answer;
    return this.#remember(message, before, { ...message, tool_calls });
  }

  /** Results of the same id belong to the calls of that id in their order. */
  results(
    messages: readonly ChatMessage[],
    before: string,
    given: readonly ChatToolCall[],
    own: readonly ChatToolCall[],
  ): readonly ChatMessage[] {
    if (given === own) return messages;
    const left = given.map(({ id }, at) => ({ id, own: own[at]?.id ?? id }));
    return messages.map((message) => {
      const at = left.findIndex(({ id }) => id === message.tool_call_id);
      const [found] = at < 0 ? [] : left.splice(at, 1);
      if (found === undefined) return message;
      const known = this.#known.get(message);
      if (known?.before === before) return known.message;
      return this.#remember(message, before, { ...message, tool_call_id: found.own });
    });
  }

  #remember(given: ChatMessage, before: string, message: ChatMessage): ChatMessage {
    this.#known.set(given, { before, message });
    return message;
  }
}

function haveSameCalls(
  calls: readonly ChatToolCall[] = [],
  others: readonly ChatToolCall[],
): boolean {
  return (
    calls.length === others.length &&
    calls.every(({ function: { name, arguments: given } }, at) => {
      const other = others[at]?.function;
      return name === other?.name && sorted(given) === sorted(other.arguments);
    })
  );
}

/** Agents write members in another order. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    isJsonObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(byName)) : inner,
  );

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const textOf = ({ content }: ChatMessage): string => JSON.stringify(saidBy(content));
