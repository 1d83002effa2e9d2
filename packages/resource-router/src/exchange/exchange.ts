import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { FullContext } from "./context.ts";
import type { BodyLimits } from "./read-bytes.ts";
import { RequestBody } from "./request-body.ts";

export interface ExchangeLimits extends BodyLimits {
  /** Longest time that the caller may leave a part of a stream untaken, in milliseconds. */
  readonly stallTimeoutMs: number;
}

/** A request and the answer to it. What an operation may not need is made when it asks. */
export class Exchange implements FullContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly limits: ExchangeLimits;
  #query: URLSearchParams | null = null;
  #leaving: AbortController | null = null;
  #body: RequestBody | null = null;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    limits: ExchangeLimits,
  ) {
    this.request = request;
    this.response = response;
    this.id = id;
    this.limits = limits;
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers;
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
    this.#body ??= new RequestBody(this.request, this.response, this.limits);
    return this.#body;
  }

  get bodyIsCutShort(): boolean {
    return this.#body?.isCutShort ?? false;
  }

  /** The path of the collection as the caller wrote it, mount path and all, without a slash at its end. */
  get collectionPath(): string {
    const { request } = this;
    const original = "originalUrl" in request ? request.originalUrl : undefined;
    const target = typeof original === "string" ? original : (request.url ?? "");
    const path = target.replace(/^https?:\/\/[^/]*|[?#].*$/gi, "");
    const isItem = this.id !== "" || path.endsWith("/");
    return isItem ? path.slice(0, path.lastIndexOf("/")) : path;
  }
}

function queryOf(target: string): string {
  const [beforeFragment = ""] = target.split("#", 1);
  const mark = beforeFragment.indexOf("?");
  return mark < 0 ? "" : beforeFragment.slice(mark + 1);
}
