import type { ThreadData } from "@proj/database/threads";

/** The data that starts a JobStore's thread. */
export interface JobData extends ThreadData {
  readonly synchronous: "full" | "normal";
  readonly busyTimeoutMs: number;
}
