import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { parseConfig, type RouteConfig, type TimeoutsConfig } from "@proj/gateway-protocol";
import { endpointsByName, readRequestBody } from "@proj/model-apis";
import { listen as listenOnFreePort } from "@proj/test-kit";
import { Registry } from "prom-client";
import { onTestFinished } from "vitest";
import type { Answer, AnswerBody, BodySink } from "../../src/call/answer.ts";
import { BodyMemory, BufferedBytes } from "../../src/call/body-memory.ts";
import type { Call } from "../../src/call/call.ts";
import { Cancellation } from "../../src/call/cancellation.ts";
import type { Route } from "../../src/call/route.ts";
import { startTimings } from "../../src/call/timings.ts";
import { type CallError, GatewayError } from "../../src/errors/gateway-error.ts";
import { createRequestMetrics } from "../../src/metrics/route-metrics.ts";
import { RecordedRequest } from "../../src/recording/recorded-request.ts";
import { RouteQueue } from "../../src/routes/route-queue.ts";
import { RouteTraffic } from "../../src/routes/route-traffic.ts";
import { KeyHolds } from "../../src/upstream/key-holds.ts";
import { type ReplicaStatus, RouteUpstream } from "../../src/upstream/route-upstream.ts";

/** The servers of one route. */
export interface Upstreams {
  forward(call: Call): Promise<Answer>;
  replicas(): ReplicaStatus[];
  close(): Promise<void>;
}

/** Listens on a free port until the test has finished. Returns the origin. */
export async function listen(server: Server): Promise<string> {
  // A connection cut on purpose is not the server's error.
  server.on("connection", (socket: Socket) => socket.on("error", () => {}));
  const listening = await listenOnFreePort(server);
  onTestFinished(() => listening.close());
  return listening.url;
}

export function listenHttp(listener: RequestListener): Promise<string> {
  return listen(createHttpServer(listener));
}

/** A server that sends bytes: called with each connection once a whole request has arrived on it. */
export function listenRaw(onRequest: (socket: Socket, nth: number) => void): Promise<string> {
  const server = createServer((socket) => {
    let requests = 0;
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      // Every request of these tests ends in its JSON body.
      if (!received.endsWith("}")) return;
      received = "";
      requests += 1;
      onRequest(socket, requests);
    });
  });
  return listen(server);
}

/** Nobody listens there: the port of TCPMUX, long out of use. */
export const deadOrigin = "http://127.0.0.1:1";

export interface SwitchedServer {
  readonly origin: string;
  /** While it is down, every connection is reset. */
  down: boolean;
}

/** Answers `ok` while it is not down. */
export async function listenSwitched(): Promise<SwitchedServer> {
  const server = createHttpServer((_request, response) => {
    if (switched.down) response.socket?.resetAndDestroy();
    else response.end("ok");
  });
  const switched = { origin: await listen(server), down: false };
  return switched;
}

const { llm_routes } = parseConfig(
  "llm_routes: { m: { base_url: 'http://127.0.0.1:9' } }",
  "test",
  {},
);

export function routeTo(base_urls: string[], changes: Partial<RouteConfig> = {}): RouteConfig {
  const { m: defaults } = llm_routes;
  if (defaults === undefined) throw new Error("The configuration has no route.");
  return { ...defaults, base_urls, endpoints: ["chat_completions", "responses"], ...changes };
}

export interface Setting {
  readonly now?: () => number;
  readonly random?: () => number;
  /** Shared with other routes. */
  readonly keyHolds?: KeyHolds;
  readonly route?: Partial<RouteConfig>;
  readonly timeouts?: Partial<TimeoutsConfig>;
}

/** Upstreams with one route, `m`, closed when the test has finished. */
export function upstreamsTo(base_urls: string | string[], setting: Setting = {}): Upstreams {
  const timeouts = {
    connect_s: 10,
    first_byte_s: 10,
    idle_s: 10,
    total_s: 60,
    caller_headers_s: 30,
    caller_body_idle_s: 30,
    caller_body_total_s: 600,
    caller_stall_s: 120,
    caller_keep_alive_s: 75,
    ...setting.timeouts,
  };
  const upstream = new RouteUpstream({
    model: "m",
    route: routeTo([base_urls].flat(), setting.route),
    keyHolds: setting.keyHolds ?? new KeyHolds(),
    timeouts,
    now: setting.now ?? (() => performance.now()),
    random: setting.random ?? (() => 0),
  });
  const close = (): Promise<void> => upstream.close();
  onTestFinished(close);
  const forward = (call: Call): Promise<Answer> => upstream.forward(call);
  return { forward, replicas: () => upstream.statuses(), close };
}

/** A route of calls that are handed to its parts one by one. */
export function routeOf(config: RouteConfig): Route {
  const options = { model: "m", maxConcurrency: 1, maxQueue: 1, queueTimeoutMs: 1_000 };
  return {
    model: "m",
    config,
    queue: new RouteQueue(options),
    upstream: { forward: () => Promise.reject(new Error("it has no servers")) },
    metrics: createRequestMetrics(new Registry()).createRoute("m"),
    traffic: new RouteTraffic(() => 0),
    get latest() {
      return this;
    },
  };
}

export const requestText = '{"model":"m","messages":[]}';

/** An unbound chat call for `m`; bound if `session_id` is given. */
export function createCall(changes: Partial<Call> & { readonly session_id?: string } = {}): Call {
  const { session_id, ...rest } = changes;
  const endpoint = rest.endpoint ?? endpointsByName.chat_completions;
  const body = rest.body ?? readRequestBody(Buffer.from(requestText), endpoint.history);
  return {
    request_id: "req_1",
    endpoint,
    model: body.model,
    route: routeOf(routeTo([])),
    body,
    memory: new BodyMemory(body.bytes),
    recorded: new RecordedRequest(body, endpoint, false),
    headers: { "content-type": "application/json" },
    caller: null,
    queueKey: session_id ?? "caller",
    maxPlaces: Number.POSITIVE_INFINITY,
    maxSteps: null,
    cancellation: new Cancellation(),
    lease: new BufferedBytes(1024 * 1024).lease(),
    timings: startTimings(),
    sent: { replica: null, attempts: 0, stripped: null },
    reference: null,
    served: null,
    whileHeld: null,
    weight_version: null,
    engine: null,
    cost_nano_usd: undefined,
    trace: null,
    stored: null,
    replayed: null,
    diverged: null,
    lineage: null,
    side_call: null,
    session_id: session_id ?? null,
    step_id: 0,
    ...rest,
  };
}

/** Reads a body to its end. */
export class CollectingSink implements BodySink {
  readonly chunks: Uint8Array[] = [];
  readonly #ended = Promise.withResolvers<CallError | null>();
  endings = 0;

  write(chunk: Uint8Array): boolean {
    this.chunks.push(chunk);
    return true;
  }

  end(tail: readonly Uint8Array[]): void {
    this.chunks.push(...tail);
    this.endings += 1;
    this.#ended.resolve(null);
  }

  fail(error: CallError): void {
    this.endings += 1;
    this.#ended.resolve(error);
  }

  /** Null if the body was whole. */
  get ended(): Promise<CallError | null> {
    return this.#ended.promise;
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString("latin1");
  }
}

export function collect(body: AnswerBody): CollectingSink {
  const sink = new CollectingSink();
  body.pipe(sink);
  return sink;
}

/** The text of a whole body. */
export async function readText(answer: Answer): Promise<string> {
  const sink = collect(answer.body);
  const error = await sink.ended;
  if (error !== null) throw error;
  return sink.text;
}

/** How a forwarded call failed, before or after the headers of its answer. */
export async function failureOf(answer: Promise<Answer>): Promise<GatewayError> {
  let error: unknown;
  try {
    error = await collect((await answer).body).ended;
  } catch (caught) {
    error = caught;
  }
  if (error instanceof GatewayError) return error;
  throw new Error("The call did not fail with an error of the gateway.", { cause: error });
}
