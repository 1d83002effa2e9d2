import type { FullContext } from "./context.ts";
import type { Run } from "./hook.ts";

/** A request, as operations and the answer to it see it. */
export interface Exchange extends FullContext {
  /** The path of the collection as the caller wrote it, without a slash at its end. */
  readonly collectionPath: string;
  /** Makes an entity tag of a body; null: answers have the tags that operations give them. */
  readonly digest: Digest | null;
}

export type Digest = (body: string | Uint8Array) => string | Promise<string>;

export interface Operation {
  readonly run: Run;
  /** The answer to a result that is `undefined` or null. */
  readonly ifNone: (result: undefined | null) => unknown;
  /** Of an operation that changes an item: what finds it. Null: nothing does. */
  readonly find: Operation | null;
}
