import type { Failure } from "./failure.ts";
import type { StopFlag } from "./lock-wait.ts";

/** What a thread can be asked for: by the name of the call, what goes in and what comes out. */
export type ThreadCalls<Calls> = {
  readonly [Name in keyof Calls]: { readonly request: unknown; readonly reply: unknown };
};

export interface ThreadCall<Name = string, Request = unknown> {
  /** From 1; 0 asks the thread to end. */
  readonly id: number;
  readonly name: Name;
  /** Milliseconds since the epoch; a call that comes up later is not begun. */
  readonly deadline: number;
  readonly request: Request;
}

/** The reply with id 0 says that the thread is ready, or that it could not start. */
export type ThreadReply =
  | { readonly id: number; readonly reply: unknown }
  | { readonly id: number; readonly failure: Failure };

/** What both threads are started with. */
export interface ThreadData {
  readonly file: string;
  readonly stop: StopFlag;
}
