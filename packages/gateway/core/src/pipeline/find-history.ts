import {
  apiOf,
  namedItem,
  type Reference,
  type RequestBody,
  type WholeRow,
  WholeRows,
  wholeRequest,
} from "@proj/model-apis";
import type { SessionStore } from "@proj/session-store";
import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { isBound } from "../recording/bound-call.ts";
import { keepsFor } from "../routes/kept-history.ts";
import type { Parent } from "../session/answer-rows.ts";
import { readStorage } from "../session/read-storage.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import { within } from "../waiting/within.ts";

/** How many characters of histories are kept, of all sessions; others are read from their rows. */
const maxCharacters = 64 * 1024 * 1024;

export interface HistoryServerOptions {
  readonly store: Pick<SessionStore, "readSteps">;
  readonly recorder: Pick<Recorder, "drained" | "hasRows">;
  readonly registry: SessionRegistry;
  /** How long a row may take to be written, in milliseconds. */
  readonly writeTimeoutMs: number;
}

/** Keeps histories in place of upstreams that do not: every request is then sent whole. */
export class HistoryServer {
  readonly #options: HistoryServerOptions;
  readonly #rows = new WholeRows(maxCharacters);

  constructor(options: HistoryServerOptions) {
    this.#options = options;
  }

  /**
   * The request with its history; null: it is sent as it came.
   * @throws GatewayError previous_response_not_found, thread_not_found, thread_unsupported_request, not_found,
   * storage_unavailable
   */
  async find(call: Call): Promise<RequestBody | null> {
    const { reference, route, endpoint, body, session_id } = call;
    const item = apiOf[endpoint.name] === "responses" ? namedItem(body) : null;
    if (item !== null && !keepsFor(route.config, "previous_response_id")) throw noItem(item);
    if (reference === null || isKept(call, reference)) return null;
    if (!route.config.serve_history || session_id === null) throw notServed(reference);
    const whole = await this.whole(call, body);
    if (whole === null) throw notFound(reference);
    return whole;
  }

  /**
   * A call's request with the history that it names; null: it names none, or some of it is in no row.
   * @param body of the call, or what a row keeps of it
   * @throws GatewayError storage_unavailable
   */
  async whole(call: Call, body: RequestBody): Promise<RequestBody | null> {
    const { reference, endpoint, session_id } = call;
    if (reference === null || session_id === null) return null;
    const { request_id, isPartial } = await this.#parentOf(call, reference, session_id);
    if (isPartial) return null;
    const parent = request_id === null ? null : await this.#read(session_id, request_id);
    if (request_id !== null && (parent === null || parent.isPartial)) return null;
    return wholeRequest(endpoint.name, body, reference.by, parent);
  }

  /** @throws GatewayError storage_unavailable */
  async #parentOf(call: Call, reference: Reference, session_id: string): Promise<Parent> {
    if (isBound(call) && call.parent !== null) return call.parent;
    const { registry } = this.#options;
    const session = await registry.open(session_id, call.timings.startedAt);
    return session.answers.parentOf(reference);
  }

  /** Null: the row is gone, or was never stored. */
  async #read(session_id: string, request_id: string): Promise<WholeRow | null> {
    const { store, recorder, writeTimeoutMs } = this.#options;
    const read = async (id: string) =>
      (await readStorage(store.readSteps({ session_id, request_id: id }))).steps[0] ?? null;
    let row = await read(request_id);
    if (row === null && recorder.hasRows(session_id)) {
      await within(recorder.drained(session_id), writeTimeoutMs);
      row = await read(request_id);
    }
    return row === null ? null : this.#rows.of(row, read);
  }
}

/** What a caller asked not to keep, an upstream does not have; over a WebSocket it can be continued all the same. */
const isKept = (call: Call, { by }: Reference): boolean =>
  keepsFor(call.route.config, by) && !(isBound(call) && call.parent?.isUnstored === true);

/**
 * Finds the history that a call names, if its upstream does not keep it. Before the queue: a call that is refused is
 * not a step.
 */
export function findHistory<C extends Call>(server: HistoryServer): Stage<C> {
  return (next) => async (call) => {
    if (call.reference === null && apiOf[call.endpoint.name] !== "responses") return next(call);
    call.served = await server.find(call);
    if (call.served !== null) call.lease.grow(call.served.bytes.length);
    return next(call);
  };
}

/** Makes Anthropic's SDK send everything. */
const threadsUnsupported =
  "This route does not serve message threads. Send the whole conversation.";

function notServed(reference: Reference): GatewayError {
  if (reference.by !== "thread") return notFound(reference);
  return new GatewayError("thread_unsupported_request", threadsUnsupported, { param: "thread" });
}

const noItem = (id: string): GatewayError =>
  new GatewayError(
    "not_found",
    `Item with id '${id}' not found: the route's upstream keeps no items. Send the items themselves.`,
    { param: "input" },
  );

function notFound({ by, id }: Reference): GatewayError {
  if (by === "thread")
    return new GatewayError("thread_not_found", `No thread has the message '${id}'.`, {
      param: "thread",
    });
  if (by === "conversation")
    return new GatewayError("not_found", `Conversation with id '${id}' not found.`, { param: by });
  return new GatewayError(
    "previous_response_not_found",
    `Previous response with id '${id}' not found.`,
    { param: by },
  );
}
