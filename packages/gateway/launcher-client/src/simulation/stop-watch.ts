import { setTimeout as sleep } from "node:timers/promises";
import type { Launch } from "../launch.ts";

/** The agent went on after its budget was spent, and its time for that is over. */
export class OutOfBudgetError extends Error {
  override readonly name = "OutOfBudgetError";
}

export interface StopWatch {
  /** The session was seen to be stopped. */
  readonly wasStopped: boolean;
  /** Aborts with an OutOfBudgetError, `stopGraceMs` after that was seen. */
  readonly signal: AbortSignal;
  end(): void;
}

const answerMs = 10_000;

/**
 * Looks at a session while its agent runs: an agent that takes the stop of a spent budget for an ordinary answer asks
 * again and again. A gateway that does not answer is looked at again.
 */
export function watchForStop(
  session_id: string,
  { gateway, llm_model, timeouts }: Pick<Launch, "gateway" | "llm_model" | "timeouts">,
): StopWatch {
  const over = new AbortController();
  const grace = new AbortController();
  let wasStopped = false;
  const look = async (): Promise<void> => {
    const pause = (ms: number) => sleep(ms, null, { signal: over.signal, ref: false });
    const once = { signal: over.signal, retry: false, timeoutMs: answerMs } as const;
    while (!wasStopped) {
      await pause(timeouts.stopLookMs);
      const status = await gateway.session(session_id, once).catch(() => null);
      wasStopped = status?.models?.[llm_model]?.stopped === true;
    }
    await pause(timeouts.stopGraceMs);
    const seconds = timeouts.stopGraceMs / 1_000;
    grace.abort(new OutOfBudgetError(`it went on for ${seconds} s after its budget was spent`));
  };
  // `end` rejects the pause, and with it the look.
  look().catch(() => {});
  return {
    get wasStopped() {
      return wasStopped;
    },
    signal: grace.signal,
    end: () => over.abort(),
  };
}
