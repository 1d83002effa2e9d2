import type {
  CloseRequestBody,
  EngineProbeBody,
  ForkRequestBody,
  SessionListItem,
  SessionStatusBody,
} from "@proj/gateway-protocol";
import type { RequestOptions } from "@proj/http-client";
import type { GatewayReadiness } from "./gateway-answers.ts";
import { HttpGatewayClient } from "./http-gateway-client.ts";

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

/**
 * What a launcher asks a gateway. Every method throws an HttpError or the signal's reason; methods that take a
 * session id throw a TypeError if it is invalid.
 */
export interface GatewayClient extends Disposable {
  /** Without the session path and without a trailing slash. */
  readonly baseUrl: string;
  /** The base URL for an ordinary SDK that joins the session. */
  sessionBaseUrl(session_id: string, options?: CallOptions): Promise<string>;
  /** Works for a gateway that is not ready too. @throws InvalidAnswerError it is not a gateway */
  readiness(options?: CallOptions): Promise<GatewayReadiness>;
  /** The route keys. */
  models(options?: CallOptions): Promise<readonly string[]>;
  /** Has the gateway ask a route's engines for a few tokens. @throws ApiError 404: it has no such route or path */
  probeEngine(model: string, options?: CallOptions): Promise<EngineProbeBody>;
  /** The sessions that the gateway has in memory, read page by page. */
  sessions(options?: CallOptions): AsyncIterable<SessionListItem>;
  /** Null: the gateway does not know the session. */
  session(session_id: string, options?: CallOptions): Promise<SessionStatusBody | null>;
  /** Starts closing, or asks how far closing has come, in one request. `closeSession` waits for the end. */
  close(session_id: string, options?: CloseOptions): Promise<CloseAnswer>;
  /** Null: no step has succeeded. */
  latestSuccessStep(
    session_id: string,
    model: string,
    options?: CallOptions,
  ): Promise<number | null>;
  /** Makes a session begin from another session's record. @throws ApiError that is not possible, and why */
  fork(session_id: string, origin: ForkRequestBody, options?: CallOptions): Promise<void>;
  /** False: the gateway did not have it in memory. @throws ApiError `session_not_closed` */
  clean(session_id: string, options?: CallOptions): Promise<boolean>;
  /** Ends requests in progress and closes every connection. */
  end(): void;
}

/** @throws TypeError `baseUrl` is not an http(s) URL, or has a query or a fragment */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  return new HttpGatewayClient(options);
}
