import { hash } from "node:crypto";
import { readUtterance, type Utterance } from "@proj/sequences/conversation";
import type { RecordedStep } from "@proj/sequences/recorded";

/** A conversation with a model to its end: the last request, its answer, and which call said what. */
export interface Conversation {
  readonly last: RecordedStep;
  readonly turns: readonly Turn[];
}

/** A message, or what a call answered. */
export interface Turn {
  readonly utterances: readonly Utterance[];
  /** The call that answered this; null: it was in the request from the beginning. */
  readonly step: RecordedStep | null;
}

/** One that has not ended: its messages as far as they go, and where calls answered. */
interface Open {
  readonly texts: readonly string[];
  /** Calls by the index of the message that they answered with. */
  readonly calls: ReadonlyMap<number, RecordedStep>;
  readonly last: RecordedStep;
}

/**
 * The conversations of a session: calls whose messages go on from one another, each only once, in the
 * order in which they ended. Calls that failed or were not captured are left out.
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
