import type { Utterance } from "@proj/model-apis/conversation";
import { hashText } from "./hash-text.ts";

/** A conversation so far. */
interface Thread {
  readonly messages: readonly string[];
  /** The model's last answer, which the next request repeats. */
  answers: ReadonlySet<string>;
}

/** How many conversations an agent may hold at once; the least recently used one is forgotten. */
const maxThreads = 16;

/**
 * Tells which messages of a request are not new. An agent sends its whole history with each request, and may hold
 * several conversations in one session.
 */
export class MessageHistory {
  /** Least recently used first. */
  #threads: Thread[] = [];

  /**
   * How many of the first messages were in an earlier request or are the model's answer to it.
   * @param texts the messages as written in the request
   * @param read returns the message at an index
   */
  countKnown(texts: readonly string[], read: (index: number) => Utterance): number {
    const messages = texts.map(fingerprint);
    let known = 0;
    let before: Thread | undefined;
    for (const thread of this.#threads) {
      const shared = sharedPrefix(thread.messages, messages);
      if (shared < known || shared === 0) continue;
      known = shared;
      before = thread;
    }
    const goesOn = before !== undefined && known === before.messages.length;
    if (before !== undefined && goesOn) {
      while (known < messages.length && before.answers.has(keyOf(read(known)))) known += 1;
      this.#threads = this.#threads.filter((thread) => thread !== before);
    }
    this.#threads.push({ messages, answers: new Set() });
    if (this.#threads.length > maxThreads) this.#threads.shift();
    return known;
  }

  /** The answers to the request that was last passed to `countKnown`. */
  addAnswers(answers: readonly Utterance[]): void {
    const thread = this.#threads.at(-1);
    if (thread !== undefined) thread.answers = new Set(answers.map(keyOf));
  }
}

/** In place of long texts, so that a thread does not keep a session's whole history; also in browsers. */
const fingerprint = (text: string): string =>
  text.length <= 64 ? text : `${text.length} ${hashText(text)} ${hashText(text, 0x9747_b28c)}`;

function sharedPrefix(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1;
  return count;
}

/** Equal for an answer and its repetition in the next request, which usually leaves reasoning out. */
function keyOf({ role, parts }: Utterance): string {
  const said = parts
    .filter(({ kind }) => kind !== "reasoning")
    .map((part) => (part.kind === "tool_call" && part.call_id !== null ? part.call_id : part));
  return fingerprint(JSON.stringify([role, said]));
}
