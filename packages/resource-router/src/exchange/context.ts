import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { RequestBody } from "./request-body.ts";

/** What every operation is given. */
export interface Context {
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  /** Aborted when the caller leaves before it has the whole answer. */
  readonly signal: AbortSignal;
  /** Node's own, for what the context does not say. */
  readonly request: IncomingMessage;
}

export interface ItemContext extends Context {
  /** The path's last segment, decoded once. Any characters may be in it, slashes and NUL among them. */
  readonly id: string;
}

export interface BodyContext extends Context {
  /** Read when it is asked for. */
  readonly body: RequestBody;
}

export interface OptionsContext extends Context {
  /** Empty: the collection is asked for its options. */
  readonly id: string;
}

/** A context for whichever operation. */
export type FullContext = ItemContext & BodyContext;
