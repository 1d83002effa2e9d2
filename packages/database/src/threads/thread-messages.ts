import type { Failure } from "./failure.ts";

/** What a thread can be asked for: by the name of the call, what goes in and what comes out. */
export type ThreadCalls<Calls> = {
  readonly [Name in keyof Calls]: { readonly request: unknown; readonly reply: unknown };
};

/** Tuples cost a structured clone less than objects do. */
export type ThreadCall<Name = string, Request = unknown> = readonly [
  /** From 1; 0 asks the thread to end. */
  id: number,
  name: Name,
  /** Of `monotonicMs`; a call that comes up later is not begun. */
  deadline: number,
  request: Request,
];

/** The reply with id 0 says that the thread is ready, or that it could not start. */
export type ThreadReply = readonly [id: number, reply: unknown, failure?: Failure];

/** Set to 1 by the thread that closes the store: nobody waits for a lock after that. */
export type StopFlag = Int32Array<SharedArrayBuffer>;

/** What every thread of a file is started with. */
export interface ThreadData {
  readonly file: string;
  readonly stop: StopFlag;
  /** The database that this process has had open; null: this is the first time. */
  readonly known: KnownDatabase | null;
}

/** A database, and the files that it was in when it was last opened: device and inode of each. */
export interface KnownDatabase {
  readonly storage_id: string;
  readonly database: string;
  readonly wal: string;
}
