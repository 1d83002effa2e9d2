import type { RequestBody } from "./request-body.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** Ids by their names in a path: `{ post: "7" }` below `posts/{post}/comments`. */
export type Params = Readonly<Record<string, string>>;

/** What every operation gets. */
export interface Context<P extends Params = Params> {
  readonly method: string;
  /** The request's path and query, as the caller wrote them. */
  readonly url: string;
  /** The resource's path as it was registered, without the prefixes of groups. */
  readonly resource: string;
  readonly headers: RequestHeaders;
  readonly query: URLSearchParams;
  /** The ids of the parent items, decoded once. */
  readonly params: P;
  /** Aborted when the caller disconnects before it has the whole answer. */
  readonly signal: AbortSignal;
}

export interface ItemContext<P extends Params = Params> extends Context<P> {
  /** The path's last segment, decoded once. It may contain any character, even slashes and NUL. */
  readonly id: string;
}

export interface BodyContext<P extends Params = Params> extends Context<P> {
  /** Read on demand. */
  readonly body: RequestBody;
}

export interface OptionsContext<P extends Params = Params> extends Context<P> {
  /** Empty for OPTIONS on the collection. */
  readonly id: string;
}

/** What a hook gets: the context of any operation. */
export interface FullContext<P extends Params = Params> extends ItemContext<P>, BodyContext<P> {}
