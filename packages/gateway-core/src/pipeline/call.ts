import type { IncomingHttpHeaders } from "node:http";
import type { RouteConfig } from "@proj/gateway-protocol";
import type { BufferedBytesLease } from "../http/buffered-bytes.ts";
import type { Session } from "../session/session.ts";
import type { RecordedRequest } from "../telemetry/recorded-request.ts";
import type { RequestBody } from "../telemetry/request-body.ts";
import type { StepRecording } from "../telemetry/step-recording.ts";
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
  /** The body as rows and the request log keep it. */
  readonly recorded: RecordedRequest;
  readonly headers: IncomingHttpHeaders;
  /** The name of the caller's key, where keys have names. */
  readonly caller: string | null;
  /** Whom a route's queue treats as one: the session, or an unbound caller. */
  readonly queueKey: string;
  readonly cancellation: Cancellation;
  /** What the call holds of the memory for bodies, until it is settled. */
  readonly lease: BufferedBytesLease;
  readonly timings: CallTimings;
  /** Where it was forwarded to last, and how many times; set by forwarding. */
  replica: string | null;
  attempts: number;
}

/** A call that is bound to a session; stages of the session take no other. */
export interface BoundCall extends Call {
  readonly session: Session;
  /** 0 until the step is taken. */
  step_id: number;
  /** Null until the step is taken. */
  recording: StepRecording | null;
}
