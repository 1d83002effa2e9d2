import type { IncomingMessage, ServerResponse } from "node:http";
import { parseSessionId } from "@proj/gateway-protocol";
import { createTimeOrderedId } from "@proj/session-store";
import { readLineage } from "../bodies/agent-lineage.ts";
import { readRequestBody } from "../bodies/request-body.ts";
import { type Answer, isEventStream } from "../call/answer.ts";
import type { BufferedBytes } from "../call/buffered-bytes.ts";
import type { Call } from "../call/call.ts";
import { Cancellation } from "../call/cancellation.ts";
import type { Handler } from "../call/stage.ts";
import { startTimings } from "../call/timings.ts";
import { asGatewayError, CallerGoneError, type GatewayError } from "../errors/gateway-error.ts";
import { streamNotSupported } from "../errors/stream-not-supported.ts";
import { type BoundCall, isBound, retryMarks } from "../recording/bound-call.ts";
import type { Histories } from "../recording/histories.ts";
import { RecordedRequest } from "../recording/recorded-request.ts";
import { isStored, type StoredCall } from "../recording/stored-call.ts";
import type { Replays } from "../replay/replays.ts";
import type { RefusedRequest } from "../request-log/call-log-entry.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { StoredObjects } from "../session/stored-objects.ts";
import { LinkedList } from "../waiting/linked-list.ts";
import type { Admission } from "./admission.ts";
import { replyError } from "./error-reply.ts";
import { HeldStream } from "./held-stream.ts";
import type { ModelExchange } from "./model-exchange.ts";
import type { ModelPath } from "./model-path.ts";
import { readStoredCall } from "./read-stored-call.ts";
import { relay } from "./relay.ts";
import type { RouteTable } from "./route-table.ts";
import { serverTiming } from "./server-timing.ts";
import { sideCallOf } from "./side-call.ts";
import type { StoredPath } from "./stored-path.ts";

export interface ModelEndpointOptions {
  readonly admission: Admission;
  readonly buffered: BufferedBytes;
  readonly callerStallMs: number;
  /** Interval between comments to the caller of a stream whose route is paused, in milliseconds. */
  readonly keepAliveMs: number;
  /** Whether recorded requests are redacted. */
  readonly redacts: boolean;
  readonly routes: RouteTable;
  readonly registry: SessionRegistry;
  readonly histories: Histories;
  readonly replays: Replays;
  readonly handleBound: Handler<BoundCall>;
  readonly handleUnbound: Handler<Call>;
  readonly handleStored: Handler<StoredCall>;
  /** The objects that upstreams store for callers without a session. */
  readonly unboundObjects: StoredObjects;
  /** Called for requests that were refused before they became a call. */
  readonly onRefused: (refused: RefusedRequest) => void;
  readonly onInternalError: (error: Error, request_id: string) => void;
}

/** Serves model requests: reads each, turns it into a call, and relays the pipeline's answer. */
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

  /** Resolves once no request is in flight. For one waiter only: the gateway's shutdown. */
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
  async serve(
    req: IncomingMessage,
    res: ServerResponse,
    path: ModelPath | StoredPath,
  ): Promise<void> {
    const exchange: ModelExchange = {
      req,
      res,
      path,
      request_id: createTimeOrderedId(),
      timings: startTimings(),
      cancellation: new Cancellation(),
      lease: this.#options.buffered.lease(),
      share: null,
      held: null,
      headers: [],
    };
    const { cancellation } = exchange;
    const place = this.#open.append(cancellation);
    res.on("close", () => {
      if (!res.writableFinished) cancellation.cancel(new CallerGoneError("the caller left"));
    });
    try {
      const call = await this.#readCall(exchange, path);
      if (call !== null) await this.#answer(exchange, call);
    } finally {
      exchange.lease.release();
      exchange.share?.leave();
      this.#open.remove(place);
      if (this.#open.size === 0) this.#onDrained?.();
    }
  }

  /** The complete call; null if the request was refused before it became one. */
  async #readCall(exchange: ModelExchange, path: ModelPath | StoredPath): Promise<Call | null> {
    const { req, request_id, timings, cancellation } = exchange;
    const { admission, redacts, routes, registry, histories, replays } = this.#options;
    try {
      if ("target" in path) return await readStoredCall(exchange, path, this.#options);
      const { caller, session_id } = admission.admit(exchange);
      const bytes = await admission.readBody(exchange, caller, session_id);
      timings.bodyRead = performance.now();
      const { history } = path.endpoint;
      const keepsHistory = session_id !== null && history !== null;
      const former = keepsHistory ? histories.find(session_id, path.endpoint, bytes) : null;
      const body = readRequestBody(bytes, history, former?.body);
      const nearest =
        keepsHistory && former === null ? histories.nearest(session_id, path.endpoint, body) : null;
      const asked = routes.find(body.model, path.endpoint.name);
      admission.checkModel(caller, asked.model);
      const lineage = readLineage(req.headers);
      const { side_calls } = asked.config;
      const side_call =
        side_calls === null || !path.endpoint.isRecorded
          ? null
          : sideCallOf(side_calls, { headers: req.headers, lineage, body });
      const { model, config: route } =
        side_calls === null || side_call === null
          ? asked
          : routes.find(side_calls.route, path.endpoint.name);
      if (body.stream && !route.supports_stream) throw streamNotSupported(model);
      if (body.stream) exchange.held = this.#heldStream(exchange);
      const recorded = new RecordedRequest(body, path.endpoint, redacts, former, nearest);
      const call: Call = {
        request_id,
        endpoint: path.endpoint,
        model,
        route,
        body,
        recorded,
        headers: req.headers,
        caller: caller.name,
        queueKey: session_id ?? `caller ${caller.name ?? req.socket.remoteAddress}`,
        mostPlaces: admission.mostPlaces(caller, route),
        maxSteps: caller.scope?.max_steps ?? null,
        cancellation,
        whileHeld: exchange.held,
        lease: exchange.lease,
        timings,
        replica: null,
        attempts: 0,
        weight_version: null,
        stripped: null,
        cost_nano_usd: undefined,
        trace: null,
        stored: null,
        replayed: null,
        lineage,
        side_call,
        session_id,
        step_id: 0,
      };
      if (session_id === null) return call;
      if (!path.endpoint.isRecorded) {
        await replays.checkUnrecorded(session_id);
        return call;
      }
      const opened = registry.open(session_id);
      const session = opened instanceof Promise ? await opened : opened;
      session.keys.check(session_id, caller.scope?.issued_at ?? null);
      const retry = session.retries.find(retryMarks(call, recorded));
      const state = { session, retry, retry_of: null, recording: null };
      const bound: BoundCall = { ...call, session_id, recorded, ...state };
      return bound;
    } catch (error) {
      if (error instanceof CallerGoneError) return null;
      const { session_segment, endpoint } = path;
      this.#options.onRefused({
        request_id,
        session_id: session_segment === null ? null : parseSessionId(session_segment),
        endpoint: endpoint.name,
        started_at: timings.startedAt,
        error: this.#replyError(exchange, error),
      });
      return null;
    }
  }

  async #answer(exchange: ModelExchange, call: Call): Promise<void> {
    const { res, request_id, cancellation, timings, headers } = exchange;
    const { handleBound, handleStored, handleUnbound, callerStallMs } = this.#options;
    const handle = (): Promise<Answer> =>
      isBound(call) ? handleBound(call) : isStored(call) ? handleStored(call) : handleUnbound(call);
    const addStep = (): void => {
      if (call.step_id > 0) headers.push("x-gateway-step-id", String(call.step_id));
    };
    try {
      const answer = await handle();
      addStep();
      if (exchange.held?.hasBegun && !isEventStream(answer)) exchange.held.relay(answer);
      else
        relay(res, answer, {
          request_id,
          endpoint: call.endpoint,
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

  #heldStream({ res, request_id, path, headers }: ModelExchange): HeldStream {
    const { callerStallMs: stallMs, keepAliveMs } = this.#options;
    const { endpoint } = path;
    const ownHeaders = () => headers;
    return new HeldStream(res, { request_id, endpoint, keepAliveMs, stallMs, ownHeaders });
  }

  #replyError(exchange: ModelExchange, error: unknown): GatewayError {
    const { res, path, request_id, headers, timings } = exchange;
    const answered = asGatewayError(error);
    if (answered.code === "internal_error") this.#options.onInternalError(answered, request_id);
    if (exchange.held?.hasBegun) {
      exchange.held.fail(answered);
      return answered;
    }
    const own = [...headers, "server-timing", serverTiming(timings)];
    replyError(res, answered, request_id, own, path.endpoint);
    return answered;
  }
}
