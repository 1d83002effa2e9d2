import type { ThreadData } from "./thread-messages.ts";

/** What the thread of a JobStore is started with. */
export interface JobData extends ThreadData {
  readonly synchronous: "full" | "normal";
  readonly busyTimeoutMs: number;
}
