import type { IncomingMessage, ServerResponse } from "node:http";
import type { Call } from "../call/call.ts";
import type { Cancellation } from "../call/cancellation.ts";
import type { HeldStream } from "./held-stream.ts";
import type { ModelPath } from "./paths.ts";
import type { Relay } from "./relay.ts";
import type { SessionShare } from "./session-shares.ts";

/** What is known about a request from its first moment on. */
export interface ModelExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly path: ModelPath;
  readonly request_id: string;
  readonly timings: Call["timings"];
  readonly cancellation: Cancellation;
  lease: Call["lease"];
  /** The share of its session, if it came with a session key. */
  share: SessionShare | null;
  /** Set for a request for a stream, once its body is read. */
  held: HeldStream | null;
  /** Sends the answer, once there is one. */
  relay: Relay | null;
  /** The gateway's own headers for any answer. */
  readonly headers: string[];
}
