import { setTimeout as delay } from "node:timers/promises";
import type { PinnedProcess } from "../machine/pinned-process.ts";

const USUAL_START_MS = 20_000;
const PAUSE_MS = 50;

/** Resolves when `GET path` answers 200; rejects with the process's output if that takes too long. */
export async function untilAnswering(
  started: PinnedProcess,
  port: number,
  path: string,
  maxMs: number = USUAL_START_MS,
): Promise<void> {
  const deadline = Date.now() + maxMs;
  while (Date.now() < deadline && started.child.exitCode === null) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        signal: AbortSignal.timeout(2000),
      });
      await answer.arrayBuffer();
      if (answer.status === 200) return;
    } catch {
      // Not listening yet.
    }
    await delay(PAUSE_MS);
  }
  await started.stop();
  throw new Error(`it did not answer on ${path}: ${started.complaint() || "it said nothing"}`);
}
