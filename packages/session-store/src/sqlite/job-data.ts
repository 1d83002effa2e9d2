import type { ThreadData } from "@proj/database/threads";

/** What the thread of a JobStore is started with. */
export interface JobData extends ThreadData {
  readonly synchronous: "full" | "normal";
  readonly busyTimeoutMs: number;
}
