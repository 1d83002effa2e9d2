import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { BodyMemory } from "../call/body-memory.ts";
import { Once } from "../call/once.ts";
import type { CallTimings } from "../call/timings.ts";
import type { CallError } from "../errors/gateway-error.ts";
import { type BodySource, UpstreamBody } from "./upstream-body.ts";
import {
  describeFailure,
  type ExchangeStage,
  timeoutError,
  type UpstreamFailure,
  type UpstreamTimeout,
} from "./upstream-failure.ts";
import { type AnswerLimits, Watchdog } from "./watchdog.ts";

export interface ExchangeOptions {
  /** The route and replica, as named in messages. */
  readonly upstream: string;
  readonly limits: AnswerLimits;
  /** Deadline for the whole answer, in milliseconds of `performance.now()`. */
  readonly totalDeadline: number;
  readonly timings: CallTimings;
  /** Of the request's body, which the connection reads until it is sent. */
  readonly memory: BodyMemory;
  /**
   * Called once, when the answer's headers have come or `failure` says why not.
   * @param cancelled the reason of `cancel`; null: it was not called
   */
  readonly onAnswered: (exchange: Exchange, cancelled: CallError | null) => void;
  /** Called once, when the exchange has ended. */
  readonly onEnded: () => void;
}

/** A connection as its requests see it: how many were written to it before them. */
export interface Carrier {
  written: number;
  /** Whether the system has taken every byte that was written. */
  readonly hasSentAll: boolean;
}

/** undici requires an error even to drop an unwanted answer; one is enough for all. */
const abandoned = new Error("abandoned");

/**
 * One request to a replica and its answer. Ends exactly once: when the answer's body has ended, when anything
 * fails, or when it is cancelled or aborted.
 */
export class Exchange implements Dispatcher.DispatchHandler, BodySource {
  readonly body: UpstreamBody = new UpstreamBody(this);
  status = 0;
  headers: IncomingHttpHeaders = {};
  /** Set by the connection that takes the request. */
  carrier: Carrier | null = null;
  /** Why the answer's headers never came. */
  failure: UpstreamFailure | null = null;
  /** When the exchange has ended in any way. */
  readonly received: Once<void> = new Once();

  readonly #options: ExchangeOptions;
  readonly #timings: CallTimings;
  readonly #watchdog: Watchdog;
  readonly #answered: PromiseWithResolvers<Exchange> = Promise.withResolvers();
  #controller: Dispatcher.DispatchController | null = null;
  #stage: ExchangeStage = "connecting";
  /** The connection has carried other requests before. */
  #reused = false;
  /** The first byte of an answer has come. */
  #heard = false;
  #over = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#timings = options.timings;
    this.#watchdog = new Watchdog(options.limits, options.totalDeadline, (timeout) =>
      this.#expire(timeout),
    );
    this.#timings.forwarded = performance.now();
    this.#timings.headersCame = 0;
    this.#timings.firstByte = 0;
    this.#timings.upstreamEnded = 0;
    options.memory.hold();
  }

  /**
   * Resolves with this exchange when the answer's headers have come, or when `failure` says why not. Rejects with
   * the reason of `cancel`.
   */
  get answered(): Promise<Exchange> {
    return this.#answered.promise;
  }

  /** The server closed an idle connection while we wrote to it: that says nothing about the server. */
  get metClosedConnection(): boolean {
    return this.#reused && !this.#heard && this.failure?.lostConnection === true;
  }

  /**
   * Ends the wait for the answer's headers; does nothing once they have come, as the body can then be
   * cancelled.
   */
  cancel(reason: CallError): void {
    if (this.#over || this.#stage === "answering") return;
    this.abort();
    this.#options.onAnswered(this, reason);
    this.#answered.reject(reason);
  }

  abort(): void {
    if (this.#over) return;
    this.#end();
    this.#controller?.abort(abandoned);
  }

  resume(): void {
    if (this.#over) return;
    this.#watchdog.resume();
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) {
      controller.abort(abandoned);
      return;
    }
    this.#controller = controller;
    this.#stage = "waiting";
    if (this.carrier !== null) {
      this.#reused = this.carrier.written > 0;
      this.carrier.written += 1;
    }
    this.#watchdog.start();
  }

  onResponseStarted(): void {
    this.#heard = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200 || this.#over) return;
    this.#stage = "answering";
    this.status = status;
    this.headers = headers;
    this.#timings.headersCame = performance.now();
    this.#answer();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // undici's parser delivers an empty chunk when it resumes: pausing on that one would stop it for good.
    if (this.#over || chunk.length === 0) return;
    const now = this.#watchdog.heard();
    if (this.#timings.firstByte === 0) this.#timings.firstByte = now;
    if (this.body.push(chunk)) return;
    this.#watchdog.pause();
    controller.pause();
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#end();
    // An upstream may answer before it has read the request. After any other end, only V8 knows what is still read.
    if (this.carrier?.hasSentAll === true) this.#options.memory.release();
    this.body.finish(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#over) return;
    const { upstream, limits } = this.#options;
    this.#fail(describeFailure(error, this.#stage, upstream, limits.connect_s));
  }

  #expire(timeout: UpstreamTimeout): void {
    const { upstream, limits } = this.#options;
    const error = timeoutError(upstream, timeout, limits[timeout]);
    this.#fail({ error, lostConnection: false });
    this.#controller?.abort(abandoned);
  }

  #fail(failure: UpstreamFailure): void {
    this.#end();
    if (this.#stage === "answering") this.body.finish(failure.error);
    else {
      this.failure = failure;
      this.#answer();
    }
  }

  #answer(): void {
    this.#options.onAnswered(this, null);
    this.#answered.resolve(this);
  }

  #end(): void {
    this.#over = true;
    this.#watchdog.stop();
    this.#timings.upstreamEnded = performance.now();
    this.#options.onEnded();
    this.received.happen();
  }
}
