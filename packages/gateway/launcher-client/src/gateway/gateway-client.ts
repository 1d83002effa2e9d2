import {
  type CloseRequestBody,
  type EngineProbeBody,
  type ForkRequestBody,
  fixedPaths,
  type GatewayPaths,
  gatewayBaseUrl,
  gatewayPaths,
  maskUrl,
  type SessionListItem,
  type SessionStatusBody,
} from "@proj/gateway-protocol";
import {
  ApiError,
  createHttpClient,
  type HttpClient,
  InvalidAnswerError,
  type RequestOptions,
  retryAfterMs,
} from "@proj/http-client";
import { objectOf } from "@proj/model-apis/json";
import {
  type GatewayReadiness,
  isEngineProbe,
  isSessionList,
  isSessionStatus,
  readModelIds,
  readReadiness,
} from "./gateway-answers.ts";

export interface GatewayClientOptions {
  /** The gateway's origin with an optional path prefix; a URL that ends in the session path works too. */
  readonly baseUrl: string;
  /** One of the gateway's `auth.api_keys`; null: it is open. @default null */
  readonly apiKey?: string | null | undefined;
  /** The path of sessions. @default what `/readyz` says, asked once */
  readonly base_session_path?: string | undefined;
  /** For one attempt, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number | undefined;
}

/** `retry: false` sends the request once. By default each is retried; repeating one never does harm. */
export type CallOptions = Pick<RequestOptions, "signal" | "timeoutMs" | "retry">;

export interface CloseOptions extends CallOptions {
  readonly reason?: CloseRequestBody["reason"] | undefined;
  /** @default "drain" */
  readonly mode?: CloseRequestBody["mode"] | undefined;
  /** The W3C trace context that the close belongs to. @default none */
  readonly traceparent?: string | undefined;
  /** How long the gateway may wait for the close to finish before it answers: seconds, at most 30. */
  readonly waitS?: number | undefined;
}

export interface CloseAnswer {
  readonly closed: boolean;
  /** Null: a gateway with only the basic interface answered something else. */
  readonly status: SessionStatusBody | null;
  readonly retryAfterMs: number | null;
}

/** Sessions on a page; the maximum that a gateway allows. */
const pageSize = 1_000;

/**
 * What a launcher asks a gateway. Every method throws an HttpError or the signal's reason; methods that take a
 * session id throw a TypeError if it is invalid.
 */
export class GatewayClient implements Disposable {
  /** Without the session path and without a trailing slash. */
  readonly baseUrl: string;
  readonly #http: HttpClient;
  #paths: GatewayPaths | null;

  constructor({ baseUrl, apiKey = null, base_session_path, timeoutMs }: GatewayClientOptions) {
    this.baseUrl = gatewayBaseUrl(baseUrl, base_session_path);
    const headers = apiKey === null ? undefined : { authorization: `Bearer ${apiKey}` };
    this.#http = createHttpClient({ baseUrl: this.baseUrl, headers, timeoutMs });
    this.#paths = base_session_path === undefined ? null : gatewayPaths(base_session_path);
  }

  /** The base URL for an ordinary SDK that joins the session. */
  async sessionBaseUrl(session_id: string, options: CallOptions = {}): Promise<string> {
    return this.baseUrl + (await this.#sessionPaths(options)).session(session_id);
  }

  /** Works for a gateway that is not ready too. @throws InvalidAnswerError it is not a gateway */
  async readiness(options: CallOptions = {}): Promise<GatewayReadiness> {
    const path = fixedPaths.readyz;
    try {
      const { body } = await this.#http.request("GET", path, options);
      return readReadiness(body, true) ?? this.#refuse("GET", path);
    } catch (error) {
      const isAnswer = error instanceof ApiError && error.status === 503;
      const readiness = isAnswer ? readReadiness(error.body, false) : null;
      if (readiness === null) throw error;
      return readiness;
    }
  }

  /** The route keys. */
  async models(options: CallOptions = {}): Promise<readonly string[]> {
    const path = fixedPaths.models;
    const { body } = await this.#http.request("GET", path, options);
    return readModelIds(body) ?? this.#refuse("GET", path);
  }

  /** Has the gateway ask a route's engines for a few tokens. @throws ApiError 404: it has no such route or path */
  async probeEngine(model: string, options: CallOptions = {}): Promise<EngineProbeBody> {
    const path = gatewayPaths().probeEngine(model);
    const { body } = await this.#http.request("GET", path, options);
    return isEngineProbe(body) ? body : this.#refuse("GET", path);
  }

  /** The sessions that the gateway has in memory, read page by page. */
  async *sessions(options: CallOptions = {}): AsyncIterable<SessionListItem> {
    const paths = await this.#sessionPaths(options);
    let after: string | undefined;
    do {
      const path = paths.sessions({ after, limit: pageSize });
      const { body } = await this.#http.request("GET", path, options);
      if (!isSessionList(body)) return this.#refuse("GET", path);
      yield* body.sessions;
      after = body.next_after ?? undefined;
    } while (after !== undefined);
  }

  /** Null: the gateway does not know the session. */
  async session(session_id: string, options: CallOptions = {}): Promise<SessionStatusBody | null> {
    const path = (await this.#sessionPaths(options)).session(session_id);
    try {
      const { body } = await this.#http.request("GET", path, options);
      return isSessionStatus(body) ? body : this.#refuse("GET", path);
    } catch (error) {
      if (error instanceof ApiError && error.code === "session_not_found") return null;
      throw error;
    }
  }

  /** Starts closing, or asks how far closing has come, in one request. `closeSession` waits for the end. */
  async close(session_id: string, options: CloseOptions = {}): Promise<CloseAnswer> {
    const { reason, mode, waitS, traceparent, ...call } = options;
    const path = (await this.#sessionPaths(call)).close(session_id, { wait: waitS });
    // The body is optional, and not part of the basic interface.
    const json = reason === undefined && mode === undefined ? undefined : { reason, mode };
    const answer = await this.#http.request("POST", path, {
      ...{ ...call, json, idempotent: true },
      headers: traceparent === undefined ? {} : { traceparent },
    });
    const { body, headers } = answer;
    const status = isSessionStatus(body) ? body : null;
    // In the basic interface, only the header tells that a session is still closing.
    const closed = status === null ? !("retry-after" in headers) : status.status === "closed";
    return { closed, status, retryAfterMs: retryAfterMs(headers) };
  }

  /** Null: no step has succeeded. */
  async latestSuccessStep(
    session_id: string,
    model: string,
    options: CallOptions = {},
  ): Promise<number | null> {
    const path = (await this.#sessionPaths(options)).latestSuccessStep(session_id, model);
    const { body } = await this.#http.request("GET", path, options);
    const { step_id } = objectOf(body);
    return step_id === null || typeof step_id === "number" ? step_id : this.#refuse("GET", path);
  }

  /** Makes a session begin from another session's record. @throws ApiError that is not possible, and why */
  async fork(
    session_id: string,
    origin: ForkRequestBody,
    options: CallOptions = {},
  ): Promise<void> {
    const path = (await this.#sessionPaths(options)).fork(session_id);
    const { body } = await this.#http.request("POST", path, {
      ...options,
      json: origin,
      idempotent: true,
    });
    if (objectOf(body).from !== origin.from) this.#refuse("POST", path);
  }

  /** False: the gateway did not have it in memory. @throws ApiError `session_not_closed` */
  async clean(session_id: string, options: CallOptions = {}): Promise<boolean> {
    const path = (await this.#sessionPaths(options)).clean(session_id);
    const { body } = await this.#http.request("POST", path, { ...options, idempotent: true });
    return objectOf(body).cleaned !== false;
  }

  /** Ends requests in progress and closes every connection. */
  end(): void {
    this.#http.close();
  }

  [Symbol.dispose](): void {
    this.end();
  }

  async #sessionPaths(options: CallOptions): Promise<GatewayPaths> {
    if (this.#paths === null) {
      const { base_session_path } = await this.readiness(options);
      this.#paths = gatewayPaths(base_session_path ?? undefined);
    }
    return this.#paths;
  }

  #refuse(method: string, path: string): never {
    const asked = { method, url: maskUrl(this.baseUrl + path) };
    throw new InvalidAnswerError(asked, "was answered, but not the way a gateway answers");
  }
}

/** @throws TypeError `baseUrl` is not an http(s) URL, or has a query or a fragment */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  return new GatewayClient(options);
}
