import { hash } from "node:crypto";
import { readUtterance, type Utterance } from "@proj/model-apis/conversation";
import type { RecordedStep } from "@proj/sequences/recorded";

/** A complete conversation with a model: the last request, its answer, and which call said what. */
export interface Conversation {
  readonly last: RecordedStep;
  readonly turns: readonly Turn[];
}

/** A message, or the answer of a call. */
export interface Turn {
  readonly utterances: readonly Utterance[];
  /** The call that gave this answer; null: the first request already had it. */
  readonly step: RecordedStep | null;
}

/** A conversation that has not ended: its messages so far, and where calls answered. */
interface Open {
  readonly texts: readonly string[];
  /** Calls by the index of the message that is their answer. */
  readonly calls: ReadonlyMap<number, RecordedStep>;
  readonly last: RecordedStep;
}

/**
 * The conversations of a session: calls whose messages continue one another, each counted once, in the order in which
 * they ended. Calls that failed or were not captured are left out.
 */
export function readConversations(steps: Iterable<RecordedStep>): Conversation[] {
  const open = new Set<Open>();
  for (const step of steps) {
    const { messages } = step;
    if (messages === null || step.status_code !== 200) continue;
    const texts = messages.map((message) => hash("sha1", JSON.stringify(message)));
    let before: Open | undefined;
    for (const other of open) {
      const isLonger = other.texts.length > (before?.texts.length ?? 0);
      if (isLonger && other.texts.every((text, at) => text === texts[at])) before = other;
    }
    if (before !== undefined) open.delete(before);
    const calls = new Map(before?.calls).set(messages.length, step);
    open.add({ texts, calls, last: step });
  }
  return [...open].map(conversationOf);
}

function conversationOf({ calls, last }: Open): Conversation {
  const messages = [...(last.messages ?? []), ...(last.answer ?? [])];
  const turns: Turn[] = [];
  let said: Utterance[] | null = null;
  for (const [at, message] of messages.entries()) {
    const step = calls.get(at) ?? null;
    const utterance = readUtterance(message);
    // The items of one answer belong together.
    if (step === null && said !== null && utterance.role === "assistant") {
      said.push(utterance);
      continue;
    }
    const utterances = [utterance];
    said = step === null ? null : utterances;
    turns.push({ utterances, step });
  }
  return { last, turns };
}
