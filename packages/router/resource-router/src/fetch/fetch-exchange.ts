import type { Context, Params } from "../operation/context.ts";
import type { Digest, Exchange } from "../operation/exchange.ts";
import { RequestBody } from "../operation/request-body.ts";
import type { RequestHeaders } from "../operation/request-headers.ts";
import { collectionPathOf } from "../path/target.ts";
import { paramsOf } from "../routing/params.ts";
import type { Match } from "../routing/route-table.ts";
import { type BodyLimits, bodySource } from "./read-bytes.ts";

/** A web request. Parts that an operation may not need are made on demand. */
export class FetchExchange implements Exchange {
  readonly request: Request;
  readonly digest: Digest | null;
  readonly id: string;
  readonly #match: Match | null;
  readonly #limits: BodyLimits;
  readonly #target: URL;
  #headers: RequestHeaders | null = null;
  #body: RequestBody | null = null;

  /** @param match null: the request is outside the resources */
  constructor(
    request: Request,
    target: URL,
    match: Match | null,
    limits: BodyLimits,
    digest: Digest | null,
  ) {
    this.request = request;
    this.digest = digest;
    this.id = match?.id ?? "";
    this.#match = match;
    this.#limits = limits;
    this.#target = target;
  }

  get method(): string {
    return this.request.method;
  }

  get url(): string {
    return this.#target.pathname + this.#target.search;
  }

  get resource(): string {
    return this.#match?.form.resource ?? "";
  }

  get params(): Params {
    return this.#match === null ? {} : paramsOf(this.#match);
  }

  get headers(): RequestHeaders {
    this.#headers ??= Object.fromEntries(this.request.headers);
    return this.#headers;
  }

  get query(): URLSearchParams {
    return this.#target.searchParams;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  get body(): RequestBody {
    this.#body ??= new RequestBody(bodySource(this.request, this.headers, this.#limits));
    return this.#body;
  }

  get collectionPath(): string {
    return collectionPathOf(this.#target.pathname, this.id !== "");
  }
}

/**
 * The web request of a context.
 * @throws TypeError the context belongs to another platform
 */
export function webRequest(context: Context): Request {
  if (context instanceof FetchExchange) return context.request;
  throw new TypeError("The request was not handled by a fetch router.");
}
