import type { Call, StoredTarget } from "../call/call.ts";
import type { Session } from "../session/session.ts";
import type { StoredObject, StoredObjects } from "../session/stored-objects.ts";

/** A call about an object that an upstream keeps. */
export interface StoredCall extends Call {
  readonly stored: StoredTarget;
  /** Null: it is bound to none. */
  readonly session: Session | null;
  /** What its session, or all callers without one, have. */
  readonly objects: StoredObjects;
  readonly kind: "response" | "conversation";
  /** Whether the object itself is asked for, and not what belongs to it. */
  readonly isWhole: boolean;
  /** Null: the object is to be made. */
  readonly object: { readonly id: string; readonly found: StoredObject } | null;
}

export function isStored(call: Call): call is StoredCall {
  return call.stored !== null;
}
