import type { Call, StoredTarget } from "../call/call.ts";
import type { Session } from "../session/session.ts";
import type { StoredObject, StoredObjects } from "../session/stored-objects.ts";

/** A call about an object that an upstream stores. */
export interface StoredCall extends Call {
  readonly stored: StoredTarget;
  /** Null if the call has no session. */
  readonly session: Session | null;
  /** The objects of its session, or of all callers without one. */
  readonly objects: StoredObjects;
  readonly kind: "response" | "conversation";
  /** Whether the call is about the object itself, not something that belongs to it. */
  readonly isWhole: boolean;
  /** Null if the object is still to be created. */
  readonly object: { readonly id: string; readonly found: StoredObject } | null;
}

export function isStored(call: Call): call is StoredCall {
  return call.stored !== null;
}
