import { LinkedList } from "../waiting/linked-list.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";

/** A call that is being answered. */
export interface RunningCall {
  readonly call: Call;
  /** Null until the headers have come. */
  answer: Answer | null;
}

/** The calls in flight, for the followers of their sessions. */
export class RunningCalls {
  readonly #calls = new LinkedList<RunningCall>();

  /** @returns the running call, which takes the answer, and the function to leave with */
  add(call: Call): { readonly running: RunningCall; readonly leave: () => void } {
    const running: RunningCall = { call, answer: null };
    const link = this.#calls.append(running);
    return { running, leave: () => void this.#calls.remove(link) };
  }

  of(session_id: string): readonly RunningCall[] {
    return [...this.#calls].filter(({ call }) => call.session_id === session_id);
  }
}
