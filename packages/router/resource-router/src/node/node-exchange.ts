import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, Params } from "../operation/context.ts";
import type { Digest, Exchange } from "../operation/exchange.ts";
import { RequestBody } from "../operation/request-body.ts";
import type { RequestHeaders } from "../operation/request-headers.ts";
import { collectionPathOf, queryOf } from "../path/target.ts";
import { paramsOf } from "../routing/params.ts";
import type { Match } from "../routing/route-table.ts";
import { type BodyLimits, bodySource } from "./read-bytes.ts";

export interface ExchangeLimits extends BodyLimits {
  /** How long the caller may leave a chunk of a stream unread, in milliseconds. */
  readonly stallTimeoutMs: number;
}

/** A request to Node's server, and its response. Parts that an operation may not need are made on demand. */
export class NodeExchange implements Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly limits: ExchangeLimits;
  readonly digest: Digest | null;
  readonly id: string;
  readonly #match: Match | null;
  #query: URLSearchParams | null = null;
  #leaving: AbortController | null = null;
  #body: RequestBody | null = null;

  /** @param match null: the request is outside the resources */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    match: Match | null,
    limits: ExchangeLimits,
    digest: Digest | null,
  ) {
    this.request = request;
    this.response = response;
    this.limits = limits;
    this.digest = digest;
    this.id = match?.id ?? "";
    this.#match = match;
  }

  get method(): string {
    return this.request.method ?? "";
  }

  get url(): string {
    const { request } = this;
    const original = "originalUrl" in request ? request.originalUrl : undefined;
    return typeof original === "string" ? original : (request.url ?? "");
  }

  get resource(): string {
    return this.#match?.form.resource ?? "";
  }

  get params(): Params {
    return this.#match === null ? {} : paramsOf(this.#match);
  }

  get headers(): RequestHeaders {
    // Only `set-cookie` is a list, and requests do not have it.
    return this.request.headers as RequestHeaders;
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(queryOf(this.request.url ?? ""));
    return this.#query;
  }

  get signal(): AbortSignal {
    if (this.#leaving === null) {
      const leaving = new AbortController();
      this.#leaving = leaving;
      const onClose = (): void => {
        if (!this.response.writableFinished) leaving.abort();
      };
      if (this.response.closed) onClose();
      else this.response.once("close", onClose);
    }
    return this.#leaving.signal;
  }

  get body(): RequestBody {
    this.#body ??= new RequestBody(bodySource(this.request, this.response, this.limits));
    return this.#body;
  }

  /** Whether reading the body began but did not finish: it was too large or too slow, or nothing awaited it. */
  get bodyIsCutShort(): boolean {
    return this.#body?.wasAsked === true && !this.request.complete;
  }

  /** Including the mount path. */
  get collectionPath(): string {
    return collectionPathOf(this.url, this.id !== "");
  }
}

/**
 * Node's request and response of a context.
 * @throws TypeError the context belongs to another platform
 */
export function nodeExchange(context: Context): {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
} {
  if (context instanceof NodeExchange) return context;
  throw new TypeError("The request did not come from a Node server.");
}
