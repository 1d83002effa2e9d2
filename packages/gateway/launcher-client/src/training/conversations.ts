import { hash } from "node:crypto";
import { readUtterance, type Utterance } from "@proj/model-apis/conversation";
import type { RecordedStep } from "@proj/sequences/recorded";
import { isGivenBack } from "./given-back.ts";

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
  /** Sampled in another session, or also in an earlier conversation: not to be trained on here. */
  readonly isContext: boolean;
}

/** A call, and the call whose messages and answer its own messages repeat. */
interface Call {
  readonly step: RecordedStep;
  /** Stands for all of its messages. */
  readonly key: string;
  readonly length: number;
  readonly before: Call | null;
  isContinued: boolean;
}

/**
 * The conversations of a session: calls whose messages continue one another, in the order in which they ended. Several
 * answers to equal messages are a conversation each, unless one retries another. Calls that failed or were not captured
 * are left out.
 */
export function readConversations(steps: Iterable<RecordedStep>): Conversation[] {
  const calls = new Set<Call>();
  const byKey = new Map<string, Call[]>();
  for (const step of steps) {
    const { messages } = step;
    if (messages === null || step.status_code !== 200) continue;
    const keys = keysOf(messages);
    const key = keys.at(-1) ?? "";
    const equal = byKey.get(key) ?? [];
    const retried = equal.find((call) => call.step.id === step.retry_of);
    if (retried?.isContinued === false) {
      calls.delete(retried);
      equal.splice(equal.indexOf(retried), 1);
    }
    const before = callBefore(messages, keys, byKey);
    if (before !== null) before.isContinued = true;
    const call: Call = { step, key, length: messages.length, before, isContinued: false };
    calls.add(call);
    byKey.set(key, [...equal, call]);
  }
  const told = new Set<Call>();
  return [...calls].filter(({ isContinued }) => !isContinued).map((last) => tell(last, told));
}

/** For each number of messages from the start, a text that stands for them. */
function keysOf(messages: readonly unknown[]): string[] {
  let key = "";
  return messages.map((message) => {
    key = hash("sha1", key + JSON.stringify(message));
    return key;
  });
}

/**
 * The longest call that the messages go on from, with an answer; of equal ones that whose answer they repeat, else the
 * latest.
 */
function callBefore(
  messages: readonly unknown[],
  keys: readonly string[],
  byKey: ReadonlyMap<string, readonly Call[]>,
): Call | null {
  for (let length = messages.length - 1; length > 0; length -= 1) {
    const found = byKey.get(keys[length - 1] ?? "") ?? [];
    // An agent without memory of an answer does not go on from it.
    if (found.length === 0 || readUtterance(messages[length]).role !== "assistant") continue;
    const own = found.length === 1 ? null : found.findLast(isIn(messages));
    return own ?? found.at(-1) ?? null;
  }
  return null;
}

const isIn =
  (messages: readonly unknown[]) =>
  ({ step, length }: Call): boolean =>
    isGivenBack(step, messages, length);

/** @param told calls of earlier conversations, to which this one's are added */
function tell(last: Call, told: Set<Call>): Conversation {
  const answers = new Map<number, Call>();
  for (let call: Call | null = last; call !== null; call = call.before)
    answers.set(call.length, call);
  const messages = [...(last.step.messages ?? []), ...(last.step.answer ?? [])];
  const turns: Turn[] = [];
  let said: Utterance[] | null = null;
  const isRepeated = isIn(messages);
  for (const [at, message] of messages.entries()) {
    const call = answers.get(at) ?? null;
    const utterance = readUtterance(message);
    // The items of one answer belong together.
    if (call === null && said !== null && utterance.role === "assistant") {
      said.push(utterance);
      continue;
    }
    // The model's own words: agents drop its reasoning when they send them back.
    const own = call !== null && isRepeated(call) ? (call.step.answer ?? []) : [];
    const utterances = own.length > 0 ? own.map(readUtterance) : [utterance];
    // What the agent repeats of them is dropped.
    said = call === null ? null : own.length > 0 ? [] : utterances;
    const isContext = call !== null && (call.step.replayed_from !== null || told.has(call));
    turns.push({ utterances, step: call?.step ?? null, isContext });
  }
  for (const call of answers.values()) told.add(call);
  return { last: last.step, turns };
}
