import {
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
import type {
  CallOptions,
  CloseAnswer,
  CloseOptions,
  GatewayClient,
  GatewayClientOptions,
} from "./gateway-client.ts";

/** Sessions on a page; the maximum that a gateway allows. */
const pageSize = 1_000;

export class HttpGatewayClient implements GatewayClient {
  readonly baseUrl: string;
  readonly #http: HttpClient;
  #paths: GatewayPaths | null;

  constructor({ baseUrl, apiKey = null, base_session_path, timeoutMs }: GatewayClientOptions) {
    this.baseUrl = gatewayBaseUrl(baseUrl, base_session_path);
    const headers = apiKey === null ? undefined : { authorization: `Bearer ${apiKey}` };
    this.#http = createHttpClient({ baseUrl: this.baseUrl, headers, timeoutMs });
    this.#paths = base_session_path === undefined ? null : gatewayPaths(base_session_path);
  }

  async sessionBaseUrl(session_id: string, options: CallOptions = {}): Promise<string> {
    return this.baseUrl + (await this.#sessionPaths(options)).session(session_id);
  }

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

  async models(options: CallOptions = {}): Promise<readonly string[]> {
    const path = fixedPaths.models;
    const { body } = await this.#http.request("GET", path, options);
    return readModelIds(body) ?? this.#refuse("GET", path);
  }

  async probeEngine(model: string, options: CallOptions = {}): Promise<EngineProbeBody> {
    const path = gatewayPaths().probeEngine(model);
    const { body } = await this.#http.request("GET", path, options);
    return isEngineProbe(body) ? body : this.#refuse("GET", path);
  }

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

  async clean(session_id: string, options: CallOptions = {}): Promise<boolean> {
    const path = (await this.#sessionPaths(options)).clean(session_id);
    const { body } = await this.#http.request("POST", path, { ...options, idempotent: true });
    return objectOf(body).cleaned !== false;
  }

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
