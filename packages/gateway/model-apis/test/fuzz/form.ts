import type { Dice } from "../streams/event-stream-writer.ts";
import type { Json } from "./official-client.ts";

/** A way in which some servers stream what others stream in the API's own form. */
export interface Form {
  readonly name: string;
  /** Forms of one kind exclude each other. */
  readonly kind: string;
  /** The official client holds the same of it. */
  readonly clientReads: boolean;
  /** Changes the events, which are its own copy. Strings are data as they are. */
  readonly apply: (events: readonly (Json | string)[], dice: Dice) => readonly (Json | string)[];
  /** It leaves no answer. */
  readonly leavesNothing?: boolean;
  /** What it changes of the answer itself. */
  readonly changes?: (answer: Json) => void;
}

export const isJson = (event: Json | string): event is Json => typeof event !== "string";

/** What is left of a stream whose server failed before its first token. */
export const nothing = (apply: Form["apply"]): Form => {
  return { name: "no answer", kind: "nothing", clientReads: true, leavesNothing: true, apply };
};

/** An event that no client can read, somewhere before the end. */
export const unreadableEvent: Form = {
  name: "an event that is not JSON",
  kind: "unreadable",
  clientReads: false,
  apply: (events, dice) => {
    const at = dice.roll(events.length);
    return [...events.slice(0, at), '{"oops', ...events.slice(at)];
  },
};
