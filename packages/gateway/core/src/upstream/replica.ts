import type { Socket } from "node:net";
import type { TimeoutsConfig } from "@proj/gateway-protocol";
import { requestPath } from "@proj/model-apis";
import { buildConnector, Client, type Dispatcher, Pool } from "undici";
import type { Call } from "../call/call.ts";
import type { AttemptTrace } from "../call/call-trace.ts";
import { type Carrier, Exchange, type ExchangeOptions } from "./exchange.ts";
import type { KeyHolds } from "./key-holds.ts";
import { RateLimits } from "./rate-limits.ts";
import { hashText } from "./rendezvous.ts";
import { ReplicaHealth, type Verdict } from "./replica-health.ts";
import { parseTargetUrl, type TargetUrl } from "./target-url.ts";
import { traceExchange, withTraceparent } from "./trace-attempt.ts";
import { toTimerDelay } from "./watchdog.ts";

/** Shorter than any common server's keep-alive, so that we rarely write to a connection being closed. */
const idleConnectionMs = 4000;
const maxResponseHeaderBytes = 64 * 1024;

/** The request, identical in every attempt, but for its `traceparent`. */
export interface OutgoingRequest {
  readonly call: Call;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Buffer;
  /** In milliseconds of `performance.now()`. */
  readonly totalDeadline: number;
}

export interface ReplicaOptions {
  readonly model: string;
  readonly baseUrl: string;
  /** What the route authenticates itself with; null: nothing. */
  readonly credential: string | null;
  readonly keyHolds: KeyHolds;
  readonly timeouts: TimeoutsConfig;
  readonly now: () => number;
  readonly random: () => number;
}

/** One server of a route's model, with its connections. */
export class Replica {
  /** The base URL as shown in rows and metrics. */
  readonly name: string;
  /** Its hash for rendezvous hashing. */
  readonly hash: number;
  readonly health: ReplicaHealth;
  readonly limits: RateLimits;
  inFlight = 0;
  readonly #target: TargetUrl;
  readonly #timeouts: TimeoutsConfig;
  readonly #upstream: string;
  readonly #connect: buildConnector.connector;
  readonly #clientOptions: Client.Options;
  readonly #pool: Pool;
  readonly #freshConnections: Set<Connection> = new Set();
  readonly #onEnded = (): void => {
    this.inFlight -= 1;
  };

  constructor(options: ReplicaOptions) {
    const { model, baseUrl, credential, keyHolds, timeouts, now, random } = options;
    this.#target = parseTargetUrl(baseUrl);
    this.name = this.#target.name;
    this.hash = hashText(baseUrl);
    this.health = new ReplicaHealth(now);
    const key = credential === null ? null : JSON.stringify([this.name, credential]);
    this.limits = new RateLimits({ random, key, keyHolds });
    this.#timeouts = timeouts;
    this.#upstream = `model '${model}' at ${this.name}`;
    const timeout = toTimerDelay(timeouts.connect_s);
    this.#connect = buildConnector({ allowH2: false, timeout });
    this.#clientOptions = {
      allowH2: false,
      keepAliveTimeout: idleConnectionMs,
      // A server's own hint may shorten this, but never lengthen it.
      keepAliveMaxTimeout: idleConnectionMs,
      maxHeaderSize: maxResponseHeaderBytes,
      // The exchange's watchdog enforces these limits, because undici's run on from the headers into the body.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    // No limit on connections: the route's own queue is the only one.
    this.#pool = new Pool(this.#target.origin, {
      ...this.#clientOptions,
      factory: (origin, options) => this.#open(origin, options),
    });
  }

  /**
   * Sends the request and waits for the answer's headers, or for the exchange's `failure`. Rejects with the
   * reason if the call is cancelled before either.
   * @param fresh use a new connection, which is closed afterwards
   */
  attempt(request: OutgoingRequest, fresh: boolean): Promise<Exchange> {
    const judge = this.health.begin();
    const { cancellation, trace } = request.call;
    const attempt = trace?.beginAttempt(this.name) ?? null;
    return this.#send(request, attempt, fresh, (exchange, cancelled) => {
      cancellation.remove(exchange);
      judge(cancelled === null ? verdictOn(exchange) : "unknown");
      if (attempt !== null) traceExchange(attempt, exchange, cancelled);
    }).answered;
  }

  /** Drops everything in flight. */
  async close(): Promise<void> {
    const fresh = [...this.#freshConnections];
    await Promise.all([this.#pool.destroy(), ...fresh.map((connection) => connection.destroy())]);
  }

  #send(
    { call, headers, body, totalDeadline }: OutgoingRequest,
    attempt: AttemptTrace | null,
    fresh: boolean,
    onAnswered: ExchangeOptions["onAnswered"],
  ): Exchange {
    this.inFlight += 1;
    const exchange = new Exchange({
      upstream: this.#upstream,
      limits: this.#timeouts,
      totalDeadline,
      timings: call.timings,
      memory: call.memory,
      onAnswered,
      onEnded: this.#onEnded,
    });
    // Before it is sent, because it may fail in this turn.
    call.cancellation.add(exchange);
    const options: Dispatcher.DispatchOptions = {
      ...this.#targetOf(call, body),
      headers: attempt === null ? headers : withTraceparent(headers, attempt),
    };
    // A destroyed pool fails the request, as it should.
    if (fresh && !this.#pool.destroyed) this.#dispatchFresh(options, exchange);
    else this.#pool.dispatch(options, exchange);
    return exchange;
  }

  #targetOf(
    { stored, endpoint, body: { model, stream }, route }: Call,
    body: Buffer,
  ): Pick<Dispatcher.DispatchOptions, "path" | "method" | "body"> {
    if (stored === null) {
      const { upstream_model } = route.config;
      const path = requestPath(endpoint, { model: upstream_model ?? model, stream });
      return { path: this.#target.below(path), method: "POST", body };
    }
    const { method, path } = stored;
    return { path: this.#target.below(path), method, body: body.length === 0 ? null : body };
  }

  #open(origin: string | URL, options: Client.Options): Connection {
    return new Connection(origin, this.#connect, options);
  }

  #dispatchFresh(options: Dispatcher.DispatchOptions, exchange: Exchange): void {
    const connection = this.#open(this.#target.origin, this.#clientOptions);
    this.#freshConnections.add(connection);
    connection.dispatch({ ...options, reset: true }, exchange);
    // Closes once this single request is done.
    void connection.close().finally(() => this.#freshConnections.delete(connection));
  }
}

function verdictOn({ failure, metClosedConnection }: Exchange): Verdict {
  if (failure === null) return "reachable";
  return failure.lostConnection && !metClosedConnection ? "lost" : "unknown";
}

/** An undici client, which is a single connection, that knows what was written to it. */
class Connection extends Client implements Carrier {
  written = 0;
  readonly #current: { socket: Socket | null };

  constructor(origin: string | URL, connect: buildConnector.connector, options: Client.Options) {
    const current: { socket: Socket | null } = { socket: null };
    super(origin, {
      ...options,
      connect: (target, callback) =>
        connect(target, (...connected) => {
          current.socket = connected[1];
          callback(...connected);
        }),
    });
    this.#current = current;
    this.on("connect", () => {
      this.written = 0;
    });
  }

  get hasSentAll(): boolean {
    return this.#current.socket?.writableLength === 0;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    if (handler instanceof Exchange) handler.carrier = this;
    return super.dispatch(options, handler);
  }
}
