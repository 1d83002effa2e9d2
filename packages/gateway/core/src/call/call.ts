import type { IncomingHttpHeaders } from "node:http";
import type { Endpoint, Reference, RequestBody } from "@proj/model-apis";
import type { JsonObject } from "@proj/model-apis/json";
import type { EngineRecord } from "@proj/model-apis/tokens";
import type { StoredStep } from "@proj/session-store";
import type { AgentLineage } from "./agent-lineage.ts";
import type { BodyMemory, BufferedBytesLease } from "./body-memory.ts";
import type { CallTrace } from "./call-trace.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Route } from "./route.ts";
import type { CallTimings } from "./timings.ts";

/** Keeps the caller's connection open while its route is paused. */
export interface WhileHeld {
  /** @param isHeld whether the call is waiting because of the pause. Returns the function that ends it */
  begin(isHeld: () => boolean): () => void;
}

/** A request about an object that an upstream stores, such as a response or a conversation. */
export interface StoredTarget {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path below the upstream's base URL, with its query. */
  readonly path: string;
  /** The name of the replica that has the object; null for any. */
  readonly replica: string | null;
}

/** A complete model request: body read, route resolved. The pipeline's stages pass it on. */
export interface Call {
  /** Unique to this request; also the `x-request-id` of answers that bring none of their own. */
  readonly request_id: string;
  readonly endpoint: Endpoint;
  /** The route key: the body's `model`, or the route that side calls are accounted to. */
  readonly model: string;
  /** Until it has a place, a reload may replace it. */
  route: Route;
  readonly body: RequestBody;
  /** Of `body.bytes`, which are empty once the call has ended and nothing else holds them. */
  readonly memory: BodyMemory;
  /** The body as kept in the request log. */
  readonly recorded: LoggedRequest;
  /** The session that the call is bound to; null if none. */
  readonly session_id: string | null;
  /**
   * Its number among the steps of its session and model, negative if it is not a step; 0 until it has one.
   */
  step_id: number;
  readonly headers: IncomingHttpHeaders;
  /** The name of the caller's key, if keys have names. */
  readonly caller: string | null;
  /** The unit that a route's queue is fair between: the session, or an unbound caller. */
  readonly queueKey: string;
  /** How many places on the route that unit may hold at the same time; infinite for all. */
  readonly maxPlaces: number;
  /** Steps that the key allows; null for as many as the gateway allows. */
  readonly maxSteps: number | null;
  readonly cancellation: Cancellation;
  /** Null if nothing can be sent to the caller before the answer. */
  readonly whileHeld: WhileHeld | null;
  /** The call's share of the memory for bodies, until it is settled. */
  readonly lease: BufferedBytesLease;
  readonly timings: CallTimings;
  /** The weights that answer, as of when the call got its place on the route; null if nobody has said. */
  weight_version: string | null;
  /** What forwarding learns, even if it fails. A call made from this one shares it. */
  readonly sent: Sent;
  /** What an inference engine said about its tokens; null: it was asked in no token ids, or has not answered. */
  engine: EngineRecord | null;
  /** What it costs by its route's prices, null if unknown; undefined until its answer has been read. */
  cost_nano_usd: number | null | undefined;
  /** Null if calls are not traced. */
  trace: CallTrace | null;
  /** The stored object that the call asks the upstream about; null for a request for an answer. */
  readonly stored: StoredTarget | null;
  /** What the request names instead of repeating it; null: it is whole by itself. */
  readonly reference: Reference | null;
  /** The same request with its history, which the upstream is sent instead; null: it is sent as it came. */
  served: RequestBody | null;
  /** The recorded step that answers it; null if the model is asked. */
  replayed: ReplayedStep | null;
  /** The recorded step that it should have repeated, and where it differs; null: it ended no replay. */
  diverged: string | null;
  /** What the request says about the agent that sent it. */
  readonly lineage: AgentLineage | null;
  /** The route's rule that makes it a side call; null if it is not one. */
  readonly side_call: string | null;
}

export interface Sent {
  /** The replica that the call was last sent to; null if none. */
  replica: string | null;
  attempts: number;
  /** What was removed from the forwarded body; null if nothing was. */
  stripped: string | null;
  /** The `stream_options` sent in place of the caller's, which asked for no usage. @default the caller's */
  stream_options?: JsonObject;
  /** The body has all that the route changes in bodies, and is forwarded as it is. @default false */
  isWritten?: boolean;
}

/** A step of another session whose answer a call gets. */
export interface ReplayedStep {
  readonly row: StoredStep;
  /** Members in which the call's request differs from the step's, and which are ignored. */
  readonly ignored: readonly string[];
}

/** A request's body, redacted where that is configured. */
export interface LoggedRequest {
  readonly bytes: Buffer;
  /** An earlier body of the session that this one begins with, up to the end of its last message; null: none is known. */
  readonly former: { readonly body: RequestBody } | null;
  /** At least its first `length` bytes, and more than that if the body is longer. @param length 0: all */
  beginning(length: number): Buffer;
}
