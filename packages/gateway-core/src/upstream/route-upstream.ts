import type { RouteConfig, TimeoutsConfig } from "@proj/gateway-protocol";
import {
  type Answer,
  type BodySink,
  createAnswer,
  type UpstreamFacts,
} from "../pipeline/answer.ts";
import type { BoundCall, Call } from "../pipeline/call.ts";
import type { Cancellation } from "../pipeline/cancellation.ts";
import type { Exchange } from "./exchange.ts";
import { type OutgoingRequest, Replica } from "./replica.ts";
import { ReplicaChoice } from "./replica-choice.ts";
import { createRequestHeaderRules, type RequestHeaderRules } from "./request-headers.ts";
import { readResponseHeaders } from "./response-headers.ts";
import { backoff, delayAfterAnswer, wait } from "./retry.ts";
import { type BodySplicer, createBodySplicer } from "./splice-body.ts";

export interface RouteUpstreamOptions {
  readonly model: string;
  readonly route: RouteConfig;
  readonly timeouts: TimeoutsConfig;
  readonly now: () => number;
  readonly random: () => number;
}

const noReplica: ReadonlySet<Replica> = new Set();
const discard: BodySink = { write: () => true, end: () => {}, fail: () => {} };

/** The servers behind one route. */
export class RouteUpstream {
  readonly replicas: readonly Replica[];
  readonly #options: RouteUpstreamOptions;
  readonly #choice: ReplicaChoice;
  readonly #buildHeaders: RequestHeaderRules;
  readonly #splice: BodySplicer;

  constructor(options: RouteUpstreamOptions) {
    const { model, route, timeouts, now } = options;
    const [first, ...others] = route.base_urls.map(
      (baseUrl) => new Replica({ model, baseUrl, timeouts, now }),
    );
    if (first === undefined) throw new Error("base_urls: at least one is needed");
    this.#options = options;
    this.replicas = [first, ...others];
    this.#choice = new ReplicaChoice([first, ...others]);
    this.#buildHeaders = createRequestHeaderRules(route);
    this.#splice = createBodySplicer(route);
  }

  /**
   * Sends the call until an answer's headers come or no attempt is left.
   * @throws GatewayError upstream_unreachable, upstream_timeout, upstream_invalid_response, or what cancelled the call
   */
  async forward(call: Call): Promise<Answer> {
    const { route, timeouts, random } = this.#options;
    const { cancellation } = call;
    cancellation.throwIfCancelled();
    const sessionId = sessionIdOf(call);
    const request: OutgoingRequest = {
      call,
      headers: this.#buildHeaders(call.headers, sessionId),
      body: this.#splice(call.body),
      totalDeadline: performance.now() + timeouts.total_s * 1000,
    };
    let tried: ReadonlySet<Replica> = noReplica;
    let replica = this.#choice.choose(sessionId, tried);
    let retries = 0;
    let fresh = false;
    for (;;) {
      call.replica = replica.name;
      call.attempts += 1;
      const exchange = await replica.attempt(request, fresh);
      const { failure } = exchange;
      const mayRetry = retries < route.retries;
      if (failure === null) {
        const delay = mayRetry ? delayAfterAnswer(exchange, retries, random) : null;
        if (delay === null) return this.#answer(exchange, replica, call.attempts);
        await discardWithin(delay, exchange, cancellation);
      } else if (exchange.metClosedConnection) {
        // No retry in the sense of the configuration: the server never took the request up.
        fresh = true;
        continue;
      } else {
        if (!failure.lostConnection || !mayRetry) throw failure.error;
        tried = new Set(tried).add(replica);
        replica = this.#choice.choose(sessionId, tried);
        // Another replica need not be given time to recover.
        if (tried.has(replica)) await wait(backoff(retries, random), cancellation);
      }
      retries += 1;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  #answer(exchange: Exchange, replica: Replica, attempts: number): Answer {
    const { status, body, received } = exchange;
    const { route } = this.#options;
    const head = readResponseHeaders(exchange.headers, route.record_headers);
    const { relayed, facts } = head;
    // An error is one document, whatever it calls itself: nothing may be added to it.
    const isErrorDocument = status >= 400 && head.format === "event_stream";
    const format = isErrorDocument ? "plain" : head.format;
    const upstream: UpstreamFacts = {
      status,
      request_id: facts.request_id,
      replica: replica.name,
      attempts,
      content_type: facts.content_type,
      content_encoding: facts.content_encoding,
      recorded_headers: facts.recorded_headers,
    };
    return createAnswer({ status, headers: relayed, body, format, upstream, received });
  }
}

/** Only the chain with sessions has calls that carry one. */
function sessionIdOf(call: Call | BoundCall): string | null {
  return "session" in call ? call.session.session_id : null;
}

/** Waits, meanwhile reads the unwanted body so that its connection can be used again, then cuts it. */
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
