import type { ErrorCode } from "@proj/gateway-protocol";
import type { EndpointName } from "@proj/model-apis";
import type { Outcome } from "../call/outcome.ts";

/** One line of the request log. Null: unknown, or never reached. */
export interface RequestLogEntry {
  /** When the request came, in milliseconds since the epoch; written as ISO 8601 UTC. */
  readonly time: number;
  /** `replay`: answered from another session's record; `stop`: answered by the synthetic stop; `refused`: answered by an error of the gateway's own. */
  readonly event: "request" | "replay" | "stop" | "refused";
  readonly request_id: string;
  readonly session_id: string | null;
  readonly model: string | null;
  readonly step_id: number | null;
  readonly endpoint: EndpointName | null;
  readonly status_code: number | null;
  readonly outcome: Outcome | null;
  /** The error code that the gateway answered with. */
  readonly code: ErrorCode | null;
  /** The name of the caller's key. */
  readonly caller: string | null;
  readonly queue_ms: number | null;
  readonly ttft_ms: number | null;
  readonly upstream_ms: number | null;
  readonly gateway_ms: number | null;
  readonly duration_ms: number | null;
  /** Sizes of the whole bodies, however much of them is recorded. */
  readonly request_bytes: number | null;
  readonly response_bytes: number | null;
  /** UTF-8 text as recorded, already redacted. */
  readonly request: Uint8Array | null;
  readonly response: Uint8Array | null;
}
