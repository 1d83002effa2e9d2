import type { IncomingMessage, ServerResponse } from "node:http";
import { parseSessionId } from "@proj/gateway-protocol";
import { asGatewayError, CallerGoneError, GatewayError } from "../gateway-error.ts";
import { LinkedList } from "../linked-list.ts";
import type { BoundCall, Call } from "../pipeline/call.ts";
import { Cancellation } from "../pipeline/cancellation.ts";
import type { Handler } from "../pipeline/stage.ts";
import { startTimings } from "../pipeline/timings.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { Histories } from "../telemetry/histories.ts";
import { RecordedRequest } from "../telemetry/recorded-request.ts";
import { readRequestBody } from "../telemetry/request-body.ts";
import type { AccessControl, Caller } from "./access-control.ts";
import type { BufferedBytes } from "./buffered-bytes.ts";
import { corsHeaders } from "./cors-headers.ts";
import { replyError } from "./error-reply.ts";
import type { ModelPath } from "./model-path.ts";
import type { OriginCheck } from "./origin-check.ts";
import { type BodyLimits, readBody } from "./read-body.ts";
import type { Readiness } from "./readiness.ts";
import { relay } from "./relay.ts";
import { createRequestId } from "./request-id.ts";
import type { RouteTable } from "./route-table.ts";
import { serverTiming } from "./server-timing.ts";
import { invalidSessionId } from "./session-path.ts";

export interface ModelEndpointOptions {
  readonly readiness: Readiness;
  readonly originCheck: OriginCheck;
  readonly access: AccessControl;
  readonly buffered: BufferedBytes;
  readonly bodyLimits: BodyLimits;
  readonly callerStallMs: number;
  /** Whether what is recorded of requests is redacted. */
  readonly redacts: boolean;
  readonly routes: RouteTable;
  readonly registry: SessionRegistry;
  readonly histories: Histories;
  readonly handleBound: Handler<BoundCall>;
  readonly handleUnbound: Handler<Call>;
  /** Told of requests that were refused before they became a call. */
  readonly onRefused: (refusal: Refusal) => void;
  readonly onInternalError: (error: Error, request_id: string) => void;
}

/** A request that never reached the pipeline. */
export interface Refusal {
  readonly request_id: string;
  readonly path: ModelPath;
  /** Milliseconds since the epoch. */
  readonly started_at: number;
  readonly error: GatewayError;
}

/** What is known of one request from its first moment on. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly path: ModelPath;
  readonly request_id: string;
  readonly timings: Call["timings"];
  readonly cancellation: Cancellation;
  readonly lease: Call["lease"];
  /** Headers of the gateway's own for whatever the answer will be. */
  readonly headers: string[];
}

/** Serves requests for models: reads each, makes it a call, and relays what the pipeline answers. */
export class ModelEndpoint {
  readonly #options: ModelEndpointOptions;
  readonly #open = new LinkedList<Cancellation>();
  #onDrained: (() => void) | null = null;

  constructor(options: ModelEndpointOptions) {
    this.#options = options;
  }

  /** Requests that are not settled yet. */
  get inFlight(): number {
    return this.#open.size;
  }

  /** Resolves once no request is in flight. For one waiter: the gateway's shutdown. */
  drained(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onDrained = resolve;
    });
  }

  /** Ends every request that is still in flight. */
  cancelAll(reason: GatewayError): void {
    for (const cancellation of [...this.#open]) cancellation.cancel(reason);
  }

  /** Never rejects. */
  async serve(req: IncomingMessage, res: ServerResponse, path: ModelPath): Promise<void> {
    const exchange: Exchange = {
      req,
      res,
      path,
      request_id: createRequestId(),
      timings: startTimings(),
      cancellation: new Cancellation(),
      lease: this.#options.buffered.lease(),
      headers: [],
    };
    const { cancellation } = exchange;
    const place = this.#open.append(cancellation);
    res.on("close", () => {
      if (!res.writableFinished) cancellation.cancel(new CallerGoneError("the caller left"));
    });
    try {
      const call = await this.#readCall(exchange);
      if (call !== null) await this.#answer(exchange, call);
    } finally {
      exchange.lease.release();
      this.#open.remove(place);
      if (this.#open.size === 0) this.#onDrained?.();
    }
  }

  /** Whose request it is and for which session, known before its body is read. */
  #admit({ req, path, headers }: Exchange): { caller: Caller; session_id: string | null } {
    const { readiness, originCheck, access } = this.#options;
    const { session_segment } = path;
    const session_id = session_segment === null ? null : parseSessionId(session_segment);
    if (session_id !== null) headers.push("x-gateway-session-id", session_id);
    headers.push(...corsHeaders(originCheck.check(req)));
    if (readiness.refusesModelTraffic) throw draining();
    if (session_segment !== null && session_id === null) throw invalidSessionId();
    return { caller: access.authenticate(req, session_id), session_id };
  }

  /** The complete call; null where the request was refused before it became one. */
  async #readCall(exchange: Exchange): Promise<Call | BoundCall | null> {
    const { req, path, request_id, timings, cancellation, lease } = exchange;
    const { bodyLimits, buffered, redacts, routes, registry, histories } = this.#options;
    try {
      const { caller, session_id } = this.#admit(exchange);
      const bytes = await readBody(exchange, bodyLimits, buffered, lease);
      timings.bodyRead = performance.now();
      const former = session_id === null ? null : histories.find(session_id, path.endpoint, bytes);
      const body = readRequestBody(bytes, path.endpoint, former?.body);
      const nearest =
        session_id === null || former !== null
          ? null
          : histories.nearest(session_id, path.endpoint, body);
      const { model, config: route } = routes.find(body.model);
      if (body.stream && !route.supports_stream) throw streamNotSupported(model);
      const call: Call = {
        request_id,
        endpoint: path.endpoint,
        model,
        route,
        body,
        recorded: new RecordedRequest(body, path.endpoint, redacts, former, nearest),
        headers: req.headers,
        caller: caller.name,
        queueKey: session_id ?? `caller ${caller.name ?? req.socket.remoteAddress}`,
        cancellation,
        lease,
        timings,
        replica: null,
        attempts: 0,
      };
      if (session_id === null) return call;
      const opened = registry.open(session_id);
      const session = opened instanceof Promise ? await opened : opened;
      return { ...call, session, step_id: 0, recording: null };
    } catch (error) {
      if (error instanceof CallerGoneError) return null;
      const refused = this.#replyError(exchange, error);
      this.#options.onRefused({ request_id, path, started_at: timings.startedAt, error: refused });
      return null;
    }
  }

  async #answer(exchange: Exchange, call: Call | BoundCall): Promise<void> {
    const { res, request_id, cancellation, timings, headers } = exchange;
    const { handleBound, handleUnbound, callerStallMs } = this.#options;
    const addStep = (): void => {
      if ("session" in call && call.step_id > 0)
        headers.push("x-gateway-step-id", String(call.step_id));
    };
    try {
      const answer = await ("session" in call ? handleBound(call) : handleUnbound(call));
      addStep();
      relay(res, answer, {
        request_id,
        ownHeaders: () => headers.concat("server-timing", serverTiming(timings)),
        stallMs: callerStallMs,
        cancellation,
      });
      await answer.settled;
    } catch (error) {
      if (error instanceof CallerGoneError) return;
      addStep();
      this.#replyError(exchange, error);
    }
  }

  #replyError(exchange: Exchange, error: unknown): GatewayError {
    const { res, request_id, headers, timings } = exchange;
    const answered = asGatewayError(error);
    if (answered.code === "internal_error") this.#options.onInternalError(answered, request_id);
    replyError(res, answered, request_id, [...headers, "server-timing", serverTiming(timings)]);
    return answered;
  }
}

function draining(): GatewayError {
  return new GatewayError(
    "gateway_draining",
    "The gateway is shutting down. Try another, or again.",
    { retryAfterMs: 1_000 },
  );
}

function streamNotSupported(model: string): GatewayError {
  return new GatewayError(
    "stream_not_supported",
    `Route '${model}' does not stream. Leave 'stream' out, or set it to false.`,
    { param: "stream" },
  );
}
