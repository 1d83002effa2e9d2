import type { SessionCloseBody } from "@proj/gateway-protocol";

export interface CloseOptions {
  readonly reason: string | null;
  /** `drain` lets requests in flight finish; `abort` ends them at once. */
  readonly mode: "drain" | "abort";
  /** The W3C trace context of the request for it. @default null: it has none */
  readonly traceparent?: string | null;
}

/** How a close goes, filled in on its way. */
export type CloseRecord = {
  -readonly [Member in keyof SessionCloseBody]: SessionCloseBody[Member];
};

export function beginRecord(reason: string | null, lost_rows: number): CloseRecord {
  return { reason, drained: false, telemetry: "pending", lost_rows, forced: false };
}
