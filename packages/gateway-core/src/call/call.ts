import type { IncomingHttpHeaders } from "node:http";
import type { RouteConfig } from "@proj/gateway-protocol";
import type { StoredStep } from "@proj/session-store";
import type { AgentLineage } from "../bodies/agent-lineage.ts";
import type { RequestBody } from "../bodies/request-body.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { BufferedBytesLease } from "./buffered-bytes.ts";
import type { CallTrace } from "./call-trace.ts";
import type { Cancellation } from "./cancellation.ts";
import type { CallTimings } from "./timings.ts";

/** What keeps the caller's connection while its route is paused. */
export interface WhileHeld {
  /** @param isHeld whether the pause is what the call waits for. Returns how to end it */
  begin(isHeld: () => boolean): () => void;
}

/** A request about an object that an upstream keeps, such as a response or a conversation. */
export interface StoredTarget {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the upstream's base URL, with its query. */
  readonly path: string;
  /** The replica that has it, by name; null: any. */
  readonly replica: string | null;
}

/** A complete model request: body read, route resolved. What the stages of the pipeline pass on. */
export interface Call {
  /** Unique to this request; also the `x-request-id` of answers that bring none of their own. */
  readonly request_id: string;
  readonly endpoint: Endpoint;
  /** The route key: the body's `model`, or what side calls of that route are accounted under. */
  readonly model: string;
  readonly route: RouteConfig;
  readonly body: RequestBody;
  /** The body as the request log keeps it. */
  readonly recorded: LoggedRequest;
  /** The session that it is bound to; null: to none. */
  readonly session_id: string | null;
  /** Its number among the steps of its session and model, negative where it is not a step; 0 until it has one. */
  step_id: number;
  readonly headers: IncomingHttpHeaders;
  /** The name of the caller's key, where keys have names. */
  readonly caller: string | null;
  /** Whom a route's queue treats as one: the session, or an unbound caller. */
  readonly queueKey: string;
  /** How many places of the route it may have at the same time; infinite: all. */
  readonly mostPlaces: number;
  /** Steps that its key allows; null: as many as the gateway does. */
  readonly maxSteps: number | null;
  readonly cancellation: Cancellation;
  /** Null: nothing can be sent to it before the answer. */
  readonly whileHeld: WhileHeld | null;
  /** What the call holds of the memory for bodies, until it is settled. */
  readonly lease: BufferedBytesLease;
  readonly timings: CallTimings;
  /** The weights that answer, as of its place on the route; null: nobody has said. */
  weight_version: string | null;
  /** Where it was forwarded to last, and how many times; set by forwarding. */
  replica: string | null;
  attempts: number;
  /** What was left out of the body that was forwarded; set by forwarding, null: nothing. */
  stripped: string | null;
  /** Null: calls are not traced. */
  trace: CallTrace | null;
  /** What it asks of an object that the upstream keeps; null: it is a request for an answer. */
  readonly stored: StoredTarget | null;
  /** The row of the step that it is answered from; null: it is asked of the model. */
  replayed: StoredStep | null;
  /** What it says of the agent that it comes from. */
  readonly lineage: AgentLineage | null;
  /** The rule of its route by which it is a side call; null: it is not one. */
  readonly side_call: string | null;
}

/** A request's body, redacted where that is to be. */
export interface LoggedRequest {
  readonly bytes: Buffer;
  /** Its first bytes, with more behind them where there are more. @param length 0: all */
  beginning(length: number): Buffer;
}
