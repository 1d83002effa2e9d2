import { formOf } from "@proj/model-apis";
import {
  elementsOf,
  isJsonObject,
  readUtterance,
  type Utterance,
} from "@proj/model-apis/conversation";
import type { StoredRow } from "@proj/session-store";
import { factsOf } from "./step-facts.ts";

/** What a request adds to the one that it continues. */
export interface Added {
  /**
   * `begins`: a new conversation. `continues`: the whole earlier request, then more. `changed`: the same as
   * the earlier request up to some point inside it. `names`: only what is new, and which request it continues.
   */
  readonly kind: "begins" | "continues" | "changed" | "names";
  /** Null: the row does not have them (too large, or not captured), or they begin in the middle of a message. */
  readonly messages: readonly Utterance[] | null;
}

/** @param base the row that this one continues, if it is known */
export function addedBy(row: StoredRow, base: StoredRow | null): Added {
  const { messages } = row;
  if (factsOf(row).continues !== null) {
    // What two rows have in common may end in the middle of a message.
    const own = row.messages_base === null ? messages : null;
    return { kind: "names", messages: own === null ? null : read(() => readAll(row, own)) };
  }
  if (row.messages_base === null)
    return { kind: "begins", messages: messages === null ? null : beginning(row, messages) };
  // The closing bracket is not shared, nor are spaces before it.
  const isChanged = base !== null && historyBytes(base) - (row.messages_shared ?? 0) > 16;
  const kind = isChanged ? "changed" : "continues";
  if (messages === null) return { kind, messages: null };
  const rest = messages.trimStart();
  if (rest.startsWith("]")) return { kind, messages: [] };
  const added = rest.startsWith(",") ? read(() => readAll(row, `[${rest.slice(1)}`)) : null;
  // Text that cannot be read on its own begins in the middle of a message.
  return added === null ? { kind: "changed", messages: null } : { kind, messages: added };
}

/** The length of the history as it was sent. */
export const historyBytes = (row: StoredRow): number =>
  (row.messages_shared ?? 0) + (row.messages_bytes ?? 0);

/** What the model answered; null: not captured, or in an unknown form. */
export function answersOf(row: StoredRow): readonly Utterance[] | null {
  return read(() => {
    const response: unknown = JSON.parse(row.response ?? "null");
    return isJsonObject(response) ? formOf(factsOf(row).endpoint).answersOf(response) : null;
  });
}

/** The messages of a whole history, after the instructions that were sent beside it. */
export function beginning(row: StoredRow, messages: string): readonly Utterance[] | null {
  const instructions = read(() => {
    const request: unknown = JSON.parse(row.request ?? "null");
    const content = isJsonObject(request) ? formOf(factsOf(row).endpoint).systemOf(request) : null;
    return content === null || content === undefined
      ? []
      : [readUtterance({ role: "system", content })];
  });
  const said = read(() => readAll(row, messages));
  return said === null ? null : [...(instructions ?? []), ...said];
}

/** How many messages of a whole history lie within its first bytes. */
export function sharedMessages(messages: string, sharedBytes: number): number {
  const shared = new TextDecoder().decode(
    new TextEncoder().encode(messages).subarray(0, sharedBytes),
  );
  let at = 0;
  let known = 0;
  for (const element of elementsOf(messages)) {
    at = messages.indexOf(element, at) + element.length;
    if (at > shared.length) break;
    known += 1;
  }
  return known;
}

const readAll = (row: StoredRow, messages: string): readonly Utterance[] =>
  formOf(factsOf(row).endpoint)
    .messagesOf(messages)
    .map((text) => readUtterance(JSON.parse(text)));

/** Null if it cannot be read: anything may have been stored. */
function read<Value>(from: () => Value): Value | null {
  try {
    return from();
  } catch {
    return null;
  }
}
