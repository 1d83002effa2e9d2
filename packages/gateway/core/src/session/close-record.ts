import type { SessionCloseBody } from "@proj/gateway-protocol";

export interface CloseOptions {
  readonly reason: string | null;
  /** `drain` lets requests in flight finish; `abort` ends them at once. */
  readonly mode: "drain" | "abort";
  /** The W3C trace context of the close request; null: it has none. @default no request asked for the close */
  readonly traceparent?: string | null;
}

/** How a close proceeds; filled in as it goes. */
export type CloseRecord = {
  -readonly [Member in keyof SessionCloseBody]: SessionCloseBody[Member];
};

export function beginRecord(reason: string | null, lost_rows: number): CloseRecord {
  return { reason, drained: false, telemetry: "pending", lost_rows, forced: false };
}
