import type { SessionReadCalls } from "./queries/read-calls.ts";
import type { SessionStore } from "./store.ts";

/** The part of a SessionStore that each database has in its own way. */
export type StoreWrites = Omit<SessionStore, keyof SessionReadCalls>;
