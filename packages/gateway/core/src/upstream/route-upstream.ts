import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { RouteConfig, TimeoutsConfig } from "@proj/gateway-protocol";
import { type BodySplicer, createBodySplicer, type Endpoint, endpoints } from "@proj/model-apis";
import { beginsAsEvents, tellingBytes } from "@proj/model-apis/decoding";
import { Answer, type BodySink, type UpstreamFacts } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { Cancellation } from "../call/cancellation.ts";
import type { Exchange } from "./exchange.ts";
import {
  createRequestHeaderRules,
  type RequestHeaderRules,
  readResponseHeaders,
} from "./forwarded-headers.ts";
import type { KeyHolds } from "./key-holds.ts";
import { type OutgoingRequest, Replica } from "./replica.ts";
import { ReplicaChoice } from "./replica-choice.ts";
import { backoff, delayAfterAnswer, mayBeRetried, wait } from "./retry.ts";
import { routeCredential, routeSecrets } from "./route-secrets.ts";
import { redirectError } from "./upstream-failure.ts";

export interface RouteUpstreamOptions {
  readonly model: string;
  readonly route: RouteConfig;
  /** Shared by all routes. */
  readonly keyHolds: KeyHolds;
  readonly timeouts: TimeoutsConfig;
  readonly now: () => number;
  readonly random: () => number;
}

export interface ReplicaStatus {
  /** The base URL without its query. */
  readonly replica: string;
  readonly asked: boolean;
  readonly ejected: boolean;
  readonly in_flight: number;
}

/** Interval between two checks of a route that is no longer served, in milliseconds. */
const retireEveryMs = 30_000;
const noReplica: ReadonlySet<Replica> = new Set();
const discard: BodySink = { write: () => true, end: () => {}, fail: () => {} };

/** The servers behind one route. */
export class RouteUpstream {
  readonly replicas: readonly Replica[];
  readonly #options: RouteUpstreamOptions;
  readonly #choice: ReplicaChoice;
  readonly #headerRules: ReadonlyMap<Endpoint, RequestHeaderRules>;
  readonly #strips: boolean;
  readonly #splice: BodySplicer;
  readonly #spliceModel: BodySplicer;
  #isClosed = false;

  constructor(options: RouteUpstreamOptions) {
    const { route, ...common } = options;
    const credential = routeCredential(route);
    const [first, ...others] = route.base_urls.map(
      (baseUrl) => new Replica({ ...common, baseUrl, credential }),
    );
    if (first === undefined) throw new Error("base_urls: at least one is needed");
    this.#options = options;
    this.replicas = [first, ...others];
    this.#choice = new ReplicaChoice([first, ...others]);
    this.#headerRules = new Map(
      endpoints.map((endpoint) => [endpoint, createRequestHeaderRules(route, endpoint)]),
    );
    this.#strips = route.strip_billing_block ?? !route.base_urls.some(isAnthropic);
    this.#splice = createBodySplicer(route);
    // Token-counting endpoints reject the members that steer an answer.
    this.#spliceModel = createBodySplicer({ ...route, extra_body: {}, extra_body_stream: {} });
  }

  /**
   * Sends the call until an answer's headers come or no attempt is left.
   * @throws GatewayError upstream_unreachable, upstream_timeout, upstream_invalid_response (also in place of a
   * redirect), or the cancellation's reason
   */
  async forward(call: Call): Promise<Answer> {
    const { route, timeouts, random } = this.#options;
    const { cancellation, session_id } = call;
    cancellation.throwIfCancelled();
    const request: OutgoingRequest = {
      call,
      headers: this.#headerRules.get(call.endpoint)?.(call.headers, session_id) ?? [],
      body: this.#body(call),
      totalDeadline: performance.now() + timeouts.total_s * 1000,
    };
    let tried: ReadonlySet<Replica> = noReplica;
    const { stored } = call;
    const holder =
      stored === null ? undefined : this.replicas.find(({ name }) => name === stored.replica);
    let replica = holder ?? this.#choice.choose(session_id, tried);
    let retries = 0;
    let fresh = false;
    for (;;) {
      const { limits } = replica;
      if (limits.isHeld || limits.isCounting)
        await limits.admit(cancellation, request.totalDeadline);
      call.sent.replica = replica.name;
      call.sent.attempts += 1;
      const exchange = await replica.attempt(request, fresh);
      const { failure } = exchange;
      const mayRetry = retries < route.retries;
      if (failure === null) {
        limits.heard(exchange);
        if (exchange.status >= 300 && exchange.status < 400) {
          exchange.abort();
          const { model } = this.#options;
          throw redirectError(model, replica.name, exchange.status, exchange.headers);
        }
        if (!mayRetry) return this.#answer(exchange, replica, call);
        const other = limits.isHeld ? (holder ?? this.#choice.choose(session_id, tried)) : replica;
        const isFree = !other.limits.isHeld && mayBeRetried(exchange);
        const delay = other !== replica && isFree ? 0 : delayAfterAnswer(exchange, retries, random);
        if (delay === null) return this.#answer(exchange, replica, call);
        await discardWithin(delay, exchange, cancellation);
        replica = other;
      } else if (exchange.metClosedConnection) {
        // Not a retry in the configuration's sense: the server never took the request.
        fresh = true;
        continue;
      } else {
        if (!failure.lostConnection || !mayRetry) throw failure.error;
        tried = new Set(tried).add(replica);
        replica = holder ?? this.#choice.choose(session_id, tried);
        // Another replica does not need time to recover.
        if (tried.has(replica)) await wait(backoff(retries, random), cancellation);
      }
      retries += 1;
    }
  }

  #body(call: Call): Buffer {
    if (call.stored !== null || call.sent.isWritten === true) return call.body.bytes;
    const { strip, isRecorded } = call.endpoint;
    const body = isRecorded ? this.#spliced(call) : this.#spliceModel(call.body);
    if (!this.#strips || strip === null || !strip.mayBeIn(call.body)) return body;
    const rest = strip.from(body);
    if (rest === null) return body;
    call.sent.stripped = strip.name;
    return rest;
  }

  #spliced({ body, sent: { stream_options } }: Call): Buffer {
    if (stream_options === undefined) return this.#splice(body);
    const { route } = this.#options;
    const extra_body_stream = { ...route.extra_body_stream, stream_options };
    return createBodySplicer({ ...route, extra_body_stream })(body);
  }

  /** The current state of the replicas, in the order of the configuration. */
  statuses(): ReplicaStatus[] {
    return this.replicas.map(({ name, health, inFlight }) => {
      const { asked, ejected } = health;
      return { replica: name, asked, ejected, in_flight: inFlight };
    });
  }

  serves(route: RouteConfig): boolean {
    return isDeepStrictEqual(route, this.#options.route);
  }

  /** Closes once nothing has been in flight for a while: a call may be between two attempts. */
  async retire(): Promise<void> {
    for (let quiet = 0; quiet < 2 && !this.#isClosed; ) {
      await delay(retireEveryMs, undefined, { ref: false });
      const isQuiet = this.replicas.every(({ inFlight }) => inFlight === 0);
      quiet = isQuiet ? quiet + 1 : 0;
    }
    await this.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  async #answer(exchange: Exchange, replica: Replica, call: Call): Promise<Answer> {
    const { status, body, received } = exchange;
    const { route } = this.#options;
    const head = readResponseHeaders(exchange.headers, route.record_headers, routeSecrets(route));
    const { relayed, facts } = head;
    // An error is one document, whatever its content type says: nothing may be added to it.
    const isErrorDocument = status >= 400 && head.format === "event_stream";
    const isUnlabelled = head.format === "plain" && (await beginsStream(exchange, call));
    const format = isErrorDocument ? "plain" : isUnlabelled ? "event_stream" : head.format;
    const upstream: UpstreamFacts = {
      status,
      request_id: facts.request_id,
      replica: replica.name,
      attempts: call.sent.attempts,
      content_type: facts.content_type,
      content_encoding: facts.content_encoding,
      recorded_headers: facts.recorded_headers,
    };
    return new Answer({ status, headers: relayed, body, format, upstream, received });
  }
}

/**
 * Whether a request for a stream got one under another content type. Clients read it as a stream because they asked
 * for one.
 * @throws the reason if the call is cancelled before that is known
 */
async function beginsStream(
  { status, body }: Exchange,
  { body: { stream }, cancellation }: Call,
): Promise<boolean> {
  if (!stream || status >= 300) return false;
  const stopListening = cancellation.onCancel((reason) => body.cancel(reason));
  const beginning = await body.beginning(tellingBytes);
  stopListening();
  cancellation.throwIfCancelled();
  return beginsAsEvents(beginning);
}

/** While it waits, reads the unwanted body so that its connection can be reused; then cuts it off. */
async function discardWithin(
  milliseconds: number,
  exchange: Exchange,
  cancellation: Cancellation,
): Promise<void> {
  exchange.body.pipe(discard);
  try {
    await wait(milliseconds, cancellation);
  } finally {
    exchange.abort();
  }
}

/** Anthropic needs the block for billing. */
const isAnthropic = (baseUrl: string): boolean =>
  /(?:^|\.)anthropic\.com$/.test(new URL(baseUrl).hostname);
