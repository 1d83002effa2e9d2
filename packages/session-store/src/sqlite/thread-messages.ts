import type { Failure } from "./failure.ts";
import type { StopFlag } from "./lock-wait.ts";

/** What a thread can be asked for: by the name of the call, what goes in and what comes out. */
export type ThreadCalls<Calls> = {
  readonly [Name in keyof Calls]: { readonly request: unknown; readonly reply: unknown };
};

/** Tuples cost a structured clone less than objects do. */
export type ThreadCall<Name = string, Request = unknown> = readonly [
  /** From 1; 0 asks the thread to end. */
  id: number,
  name: Name,
  /** Milliseconds since the epoch; a call that comes up later is not begun. */
  deadline: number,
  request: Request,
];

/** The reply with id 0 says that the thread is ready, or that it could not start. */
export type ThreadReply = readonly [id: number, reply: unknown, failure?: Failure];

/** What both threads are started with. */
export interface ThreadData {
  readonly file: string;
  readonly stop: StopFlag;
}
