import { setTimeout as delay } from "node:timers/promises";
import { defaultTimeoutMs } from "./time-out.ts";

const intervalMs = 5;

/**
 * For a condition without an event: polls until the value is neither false, null nor undefined, and
 * returns it. An error in the condition ends the wait.
 * @param what completes the sentence "timed out waiting for …"
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  what: string,
  timeoutMs: number = defaultTimeoutMs,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (isMet(value)) return value;
    if (performance.now() >= deadline) {
      throw new Error(`Timed out after ${timeoutMs} ms waiting for ${what}.`);
    }
    await delay(intervalMs);
  }
}

function isMet<T>(value: T): value is Exclude<T, false | null | undefined> {
  return value !== false && value !== null && value !== undefined;
}
