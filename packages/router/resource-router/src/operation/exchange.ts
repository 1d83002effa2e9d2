import type { FullContext } from "./context.ts";

/** A request, as seen by operations and by the code that answers it. */
export interface Exchange extends FullContext {
  /** The collection's path as the caller wrote it, without a trailing slash. */
  readonly collectionPath: string;
  /** Computes an entity tag from a body; null: answers have only the tags that operations set. */
  readonly digest: Digest | null;
}

export type Digest = (body: string | Uint8Array) => string | Promise<string>;

/** An operation within its hooks. */
export type Run = (exchange: Exchange) => unknown;

export interface Operation {
  readonly run: Run;
  /** The answer to a result that is `undefined` or null. */
  readonly ifNone: (result: undefined | null) => unknown;
}
