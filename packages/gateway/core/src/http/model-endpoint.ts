import type { IncomingMessage, ServerResponse } from "node:http";
import { parseSessionId } from "@proj/gateway-protocol";
import { createTimeOrderedId } from "@proj/session-store";
import { type Answer, isEventStream } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import { Cancellation } from "../call/cancellation.ts";
import type { Handler } from "../call/stage.ts";
import { startTimings } from "../call/timings.ts";
import {
  asGatewayError,
  CallerGoneError,
  type GatewayError,
  gatewayDraining,
} from "../errors/gateway-error.ts";
import { type BoundCall, isBound } from "../recording/bound-call.ts";
import { isStored, type StoredCall } from "../recording/stored-call.ts";
import { refusalLogEntry } from "../request-log/call-log-entry.ts";
import { type Link, LinkedList } from "../waiting/linked-list.ts";
import { serverTiming } from "./answer-head.ts";
import { replyError } from "./error-reply.ts";
import type { ModelExchange } from "./model-exchange.ts";
import type { ModelPath } from "./paths.ts";
import { type ReadCallOptions, readCall } from "./read-call.ts";
import { readStoredCall } from "./read-stored-call.ts";
import { Relay } from "./relay.ts";
import type { StoredPath } from "./stored-path.ts";

export interface ModelEndpointOptions extends ReadCallOptions {
  readonly handleBound: Handler<BoundCall>;
  readonly handleUnbound: Handler<Call>;
  readonly handleStored: Handler<StoredCall>;
}

/** Serves model requests: reads each, turns it into a call, and relays the pipeline's answer. */
export class ModelEndpoint {
  readonly #options: ModelEndpointOptions;
  readonly #open = new LinkedList<ModelExchange>();
  #onDrained: (() => void) | null = null;

  constructor(options: ModelEndpointOptions) {
    this.#options = options;
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
    for (const { cancellation } of [...this.#open]) cancellation.cancel(reason);
  }

  /** Refuses the requests whose bodies are still arriving: they are not calls yet, and not worth waiting for. */
  cancelUploads(): void {
    for (const { cancellation, timings } of [...this.#open])
      if (timings.bodyRead === 0) cancellation.cancel(gatewayDraining());
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
      relay: null,
      headers: [],
    };
    const { cancellation } = exchange;
    const place = this.#open.append(exchange);
    const leave = (): void => this.#leave(exchange, place);
    res.on("close", () => {
      if (!res.writableFinished) cancellation.cancel(new CallerGoneError("the caller left"));
      exchange.relay?.closed();
    });
    let call: Call;
    try {
      call = await this.#readCall(exchange, path);
    } catch (error) {
      this.#refuse(exchange, error);
      leave();
      return;
    }
    try {
      const answer = await this.#handle(call);
      addStep(exchange, call);
      this.#relay(exchange, call, answer);
      answer.settled.when(leave);
    } catch (error) {
      addStep(exchange, call);
      if (!(error instanceof CallerGoneError)) this.#replyError(exchange, error);
      leave();
    }
  }

  #leave(exchange: ModelExchange, place: Link<ModelExchange>): void {
    exchange.lease.release();
    exchange.share?.leave();
    this.#open.remove(place);
    if (this.#open.size === 0) this.#onDrained?.();
  }

  #readCall(exchange: ModelExchange, path: ModelPath | StoredPath): Promise<Call> {
    return "target" in path
      ? readStoredCall(exchange, path, this.#options)
      : readCall(exchange, this.#options);
  }

  /** Answers a request that did not become a call. */
  #refuse(exchange: ModelExchange, error: unknown): void {
    if (error instanceof CallerGoneError) return;
    const { path, request_id, timings } = exchange;
    const { session_segment, endpoint } = path;
    const { metrics, requestLog } = this.#options;
    const answered = this.#replyError(exchange, error);
    metrics.refused(answered.code);
    const session_id = session_segment === null ? null : parseSessionId(session_segment);
    const { startedAt: started_at } = timings;
    requestLog.write(
      refusalLogEntry({
        request_id,
        session_id,
        endpoint: endpoint.name,
        started_at,
        error: answered,
      }),
    );
  }

  #handle(call: Call): Promise<Answer> {
    const { handleBound, handleStored, handleUnbound } = this.#options;
    if (isBound(call)) return handleBound(call);
    return isStored(call) ? handleStored(call) : handleUnbound(call);
  }

  #relay(exchange: ModelExchange, { endpoint }: Call, answer: Answer): void {
    const { res, request_id, cancellation, timings, headers } = exchange;
    if (exchange.held?.hasBegun && !isEventStream(answer)) {
      exchange.held.relay(answer);
      return;
    }
    exchange.relay = new Relay(res, answer, {
      request_id,
      endpoint,
      ownHeaders: () => [...headers, "server-timing", serverTiming(timings)],
      stallMs: 1_000 * this.#options.config.timeouts.caller_stall_s,
      cancellation,
    });
    exchange.relay.start();
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

function addStep({ headers }: ModelExchange, { step_id }: Call): void {
  if (step_id > 0) headers.push("x-gateway-step-id", String(step_id));
}
