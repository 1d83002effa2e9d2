import type { Failure } from "./failure.ts";

/** The calls that a thread answers: by name, the type of request and reply. */
export type ThreadCalls<Calls> = {
  readonly [Name in keyof Calls]: { readonly request: unknown; readonly reply: unknown };
};

/** For a structured clone, tuples cost less than objects. */
export type ThreadCall<Name = string, Request = unknown> = readonly [
  /** From 1; 0 asks the thread to end. */
  id: number,
  name: Name,
  /** By `monotonicMs`; a call that is reached later is not started. */
  deadline: number,
  request: Request,
];

/** The reply with id 0 says that the thread is ready, or that it could not start. */
export type ThreadReply = readonly [id: number, reply: unknown, failure?: Failure];

/** Set to 1 by the thread that closes the store: after that nobody waits for a lock. */
export type StopFlag = Int32Array<SharedArrayBuffer>;

/** The data that starts every thread of a file. */
export interface ThreadData {
  readonly file: string;
  readonly stop: StopFlag;
  /** The database that this process had open; null: it opens one for the first time. */
  readonly known: KnownDatabase | null;
}

/** A database, and the files that it was in when it was last opened: the device and inode of each. */
export interface KnownDatabase {
  readonly storage_id: string;
  readonly database: string;
  readonly wal: string;
}
