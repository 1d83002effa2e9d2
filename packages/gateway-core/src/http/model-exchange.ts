import type { IncomingMessage, ServerResponse } from "node:http";
import type { Call } from "../call/call.ts";
import type { Cancellation } from "../call/cancellation.ts";
import type { HeldStream } from "./held-stream.ts";
import type { ModelPath } from "./model-path.ts";
import type { SessionShare } from "./session-shares.ts";

/** What is known of one request from its first moment on. */
export interface ModelExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly path: ModelPath;
  readonly request_id: string;
  readonly timings: Call["timings"];
  readonly cancellation: Cancellation;
  lease: Call["lease"];
  /** Of its session, where it came with a session key. */
  share: SessionShare | null;
  /** Of a request for a stream, once its body is read. */
  held: HeldStream | null;
  /** Headers of the gateway's own for whatever the answer will be. */
  readonly headers: string[];
}
