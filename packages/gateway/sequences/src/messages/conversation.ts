import type { Step } from "../records/step.ts";
import { canonicalJson, isObject } from "./canonical-json.ts";
import { type Reading, readMessage } from "./message-views.ts";

/** A message in one reading, with its place in the conversation. */
export interface ReadMessage {
  readonly text: string;
  readonly at: number;
}

/** A step's messages followed by its answer, read on first use. */
export class Conversation {
  readonly step: Step;
  #messages: readonly unknown[] | null = null;
  readonly #readings = new Map<Reading, readonly ReadMessage[]>();
  #tools: string | null = null;

  constructor(step: Step) {
    this.step = step;
  }

  /** Request and answer; null if they were not captured. Large, so read only if tokens do not decide. */
  get messages(): readonly unknown[] | null {
    const { messages, answer } = this.step;
    if (messages === null) return null;
    this.#messages ??= [...messages, ...(answer ?? [])];
    return this.#messages;
  }

  /** How many of the messages belong to the request. */
  get requested(): number {
    return this.step.messages?.length ?? 0;
  }

  read(reading: Reading): readonly ReadMessage[] {
    const known = this.#readings.get(reading);
    if (known !== undefined) return known;
    const read = (this.messages ?? []).flatMap((message, at) => {
      const text = readMessage(message, reading);
      return text === null ? [] : [{ text, at }];
    });
    this.#readings.set(reading, read);
    return read;
  }

  /** Drops what was read; it is read again on the next use. */
  forget(): void {
    this.#readings.clear();
    this.#messages = null;
    this.#tools = null;
  }

  get tools(): string {
    this.#tools ??= canonicalJson(this.step.tools ?? null);
    return this.#tools;
  }

  roleAt(at: number): string | null {
    const message = this.messages?.[at];
    return isObject(message) && typeof message.role === "string" ? message.role : null;
  }
}

/**
 * Where a request first differs from an earlier conversation, as an index into its own messages; null if it
 * begins with that conversation, or is part of it.
 */
export function firstDifference(
  earlier: Conversation,
  later: Conversation,
  reading: Reading,
): number | null {
  const expected = earlier.read(reading);
  for (const [index, { text, at }] of later.read(reading).entries()) {
    if (at >= later.requested || index >= expected.length) return null;
    if (expected[index]?.text !== text) return at;
  }
  return null;
}

/** How many of a request's first messages equal those of an earlier conversation. */
export function sharedMessages(earlier: Conversation, later: Conversation): number {
  const difference = firstDifference(earlier, later, "without_reasoning");
  if (difference !== null) return difference;
  return Math.min(later.requested, earlier.messages?.length ?? 0);
}

/** Whether a request consists of an earlier request, its answer, and new messages. */
export function goesOnFrom(earlier: Conversation, later: Conversation): boolean {
  const { messages } = earlier;
  if (messages === null || later.messages === null || later.requested < messages.length) {
    return false;
  }
  return firstDifference(earlier, later, "arguments_read") === null;
}
