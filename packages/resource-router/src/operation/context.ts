import type { RequestBody } from "./request-body.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** Ids by the names that a path gives them: `{ post: "7" }` below `posts/{post}/comments`. */
export type Params = Readonly<Record<string, string>>;

/** What every operation is given. */
export interface Context<P extends Params = Params> {
  readonly method: string;
  /** The request's path and query, as the caller wrote them. */
  readonly url: string;
  /** The resource's path as it was registered, without the prefixes of groups. */
  readonly resource: string;
  readonly headers: RequestHeaders;
  readonly query: URLSearchParams;
  /** The ids of the items above, decoded once. */
  readonly params: P;
  /** Aborted when the caller leaves before it has the whole answer. */
  readonly signal: AbortSignal;
}

export interface ItemContext<P extends Params = Params> extends Context<P> {
  /** The path's last segment, decoded once. It may hold any character, slashes and NUL included. */
  readonly id: string;
}

export interface BodyContext<P extends Params = Params> extends Context<P> {
  /** Read when it is asked for. */
  readonly body: RequestBody;
}

export interface OptionsContext<P extends Params = Params> extends Context<P> {
  /** Empty: the collection is asked for its options. */
  readonly id: string;
}

/** What a hook is given: a context for any operation. */
export interface FullContext<P extends Params = Params> extends ItemContext<P>, BodyContext<P> {}
