import type { IncomingHttpHeaders } from "node:http";
import type { RouteConfig } from "@proj/gateway-protocol";
import type { Session } from "../session/session.ts";
import type { RequestBody } from "../telemetry/request-body.ts";
import type { Cancellation } from "./cancellation.ts";
import type { CallTimings } from "./timings.ts";

export type Endpoint = "chat_completions" | "responses";

/** A complete model request: body read, route resolved. What the stages of the pipeline pass on. */
export interface Call {
  /** Unique to this request; also the `x-request-id` of answers that bring none of their own. */
  readonly request_id: string;
  readonly endpoint: Endpoint;
  /** The route key: the body's `model`. */
  readonly model: string;
  readonly route: RouteConfig;
  readonly body: RequestBody;
  readonly headers: IncomingHttpHeaders;
  /** The name of the caller's key, where keys have names. */
  readonly caller: string | null;
  /** Whom a route's queue treats as one: the session, or an unbound caller. */
  readonly queueKey: string;
  readonly cancellation: Cancellation;
  readonly timings: CallTimings;
}

/** A call that is bound to a session; stages of the session take no other. */
export interface BoundCall extends Call {
  readonly session: Session;
  /** 0 until the step is taken. */
  step_id: number;
}
