import { setTimeout as delay } from "node:timers/promises";
import type { Memory } from "./soak-protocol.ts";

/** Memory of a process with `--expose-gc`. A collection returns memory to the system only a little later. */
export async function memoryNow(): Promise<Memory> {
  if (gc === undefined) throw new Error("start it with --expose-gc");
  for (let times = 0; times < 3; times += 1) {
    gc();
    await delay(100);
  }
  return { rss_mb: process.memoryUsage.rss() / 1e6 };
}
