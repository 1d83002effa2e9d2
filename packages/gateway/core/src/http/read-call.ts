import { InvalidRequest, type RequestBody, readRequestBody, streamQuery } from "@proj/model-apis";
import { readLineage } from "../call/agent-lineage.ts";
import { BodyMemory } from "../call/body-memory.ts";
import type { Call } from "../call/call.ts";
import { streamNotSupported } from "../errors/gateway-error.ts";
import { type BoundCall, retryMarks } from "../recording/bound-call.ts";
import { RecordedRequest } from "../recording/recorded-request.ts";
import type { Caller } from "./access-control.ts";
import type { Admission } from "./admission.ts";
import type { GatewayParts } from "./gateway-parts.ts";
import { HeldStream } from "./held-stream.ts";
import type { ModelExchange } from "./model-exchange.ts";
import { sideCallOf } from "./side-call.ts";

export interface ReadCallOptions extends GatewayParts {
  readonly admission: Admission;
  /** Interval between comments to the caller of a stream whose route is paused, in milliseconds. */
  readonly keepAliveMs: number;
}

/**
 * Reads a model request and finds its route and its session.
 * @throws GatewayError why the request is refused
 * @throws CallerGoneError the connection ended before the body did
 */
export async function readCall(exchange: ModelExchange, options: ReadCallOptions): Promise<Call> {
  const { req, timings } = exchange;
  const { endpoint } = exchange.path;
  const { admission, routes, registry, replays } = options;
  const { caller, session_id } = admission.admit(exchange);
  const bytes = await admission.readBody(exchange, caller, session_id);
  timings.bodyRead = performance.now();
  const { body, recorded } = readBody(exchange, options, session_id, bytes);
  const asked = routes.find(body.model, endpoint.name);
  admission.checkModel(caller, asked.model);
  const lineage = readLineage(req.headers);
  const { side_calls } = asked.config;
  const side_call =
    side_calls === null || !endpoint.isRecorded
      ? null
      : sideCallOf(side_calls, { headers: req.headers, lineage, body });
  const route =
    side_calls === null || side_call === null
      ? asked
      : routes.find(side_calls.route, endpoint.name);
  const { model, config } = route;
  if (body.stream && !config.supports_stream) throw streamNotSupported(model);
  if (body.stream) exchange.held = holdStream(exchange, options);
  const call = beginCall(exchange, caller, {
    session_id,
    endpoint,
    model,
    route,
    body,
    memory: new BodyMemory(bytes),
    recorded,
    queueKey: session_id ?? `caller ${caller.name ?? req.socket.remoteAddress}`,
    maxPlaces: admission.maxPlaces(caller, config),
    stored: null,
    reference: endpoint.readReference?.(body) ?? null,
    lineage,
    side_call,
  });
  if (session_id === null) return call;
  if (!endpoint.isRecorded) {
    await replays.checkUnrecorded(session_id);
    return call;
  }
  const opened = registry.open(session_id, timings.startedAt);
  const session = opened instanceof Promise ? await opened : opened;
  session.keys.check(session_id, caller.scope?.issued_at ?? null);
  const { reference } = call;
  const parent = reference === null ? null : await session.answers.parentOf(reference);
  const retry = session.retries.find(retryMarks(call, recorded));
  const state = {
    session_id,
    recorded,
    session,
    parent,
    retry,
    retry_of: null,
    hold: null,
    recording: null,
  };
  // The same object: a copy of all its members takes longer than most stages.
  const bound: BoundCall = Object.assign(call, state);
  return bound;
}

/** A call as it begins, with all that it may learn on its way. */
export function beginCall(
  { req, request_id, timings, cancellation, lease, held }: ModelExchange,
  caller: Caller,
  read: ReadMembers,
): Call {
  // Every member by its name: an object that others are spread into takes twice as long to make.
  return {
    request_id,
    endpoint: read.endpoint,
    model: read.model,
    route: read.route,
    body: read.body,
    memory: read.memory,
    recorded: read.recorded,
    session_id: read.session_id,
    step_id: 0,
    headers: req.headers,
    caller: caller.name,
    queueKey: read.queueKey,
    maxPlaces: read.maxPlaces,
    maxSteps: caller.scope?.max_steps ?? null,
    cancellation,
    whileHeld: held,
    lease,
    timings,
    weight_version: null,
    sent: { replica: null, attempts: 0, stripped: null },
    engine: null,
    cost_nano_usd: undefined,
    trace: null,
    stored: read.stored,
    reference: read.reference,
    served: null,
    replayed: null,
    diverged: null,
    lineage: read.lineage,
    side_call: read.side_call,
  };
}

type ReadMembers = Pick<
  Call,
  | "endpoint"
  | "model"
  | "route"
  | "body"
  | "memory"
  | "recorded"
  | "session_id"
  | "queueKey"
  | "maxPlaces"
  | "stored"
  | "reference"
  | "lineage"
  | "side_call"
>;

/** Reads a body; of one that continues a history of its session, only what is new. */
function readBody(
  { path: { endpoint, told }, req }: ModelExchange,
  { histories, config }: ReadCallOptions,
  session_id: string | null,
  bytes: Buffer,
): { readonly body: RequestBody; readonly recorded: RecordedRequest } {
  const { history } = endpoint;
  if (told?.stream) checkStreamQuery(req.url ?? "", streamQuery(endpoint));
  const keepsHistory = session_id !== null && history !== null;
  const former = keepsHistory ? histories.find(session_id, endpoint, bytes) : null;
  const body = readRequestBody(bytes, history, former?.body, told);
  const nearest =
    keepsHistory && former === null ? histories.nearest(session_id, endpoint, body) : null;
  const { redact_sensitive_fields: redacts } = config.telemetry;
  return { body, recorded: new RecordedRequest(body, endpoint, redacts, former, nearest) };
}

/** An answer in another form than events could not be followed. */
function checkStreamQuery(url: string, wanted: string): void {
  const given = new URLSearchParams(url.slice(url.indexOf("?") + 1));
  for (const [name, value] of new URLSearchParams(wanted))
    if (given.get(name) !== value)
      throw new InvalidRequest(`The query must have '${name}=${value}': answers stream as events.`);
}

function holdStream(
  { res, request_id, path: { endpoint }, headers }: ModelExchange,
  { config, keepAliveMs }: ReadCallOptions,
): HeldStream {
  const ownHeaders = () => headers;
  const stallMs = 1_000 * config.timeouts.caller_stall_s;
  return new HeldStream(res, { request_id, endpoint, keepAliveMs, stallMs, ownHeaders });
}
