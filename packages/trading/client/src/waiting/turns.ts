import { untilAborted } from "./until-aborted.ts";

/** Runs tasks one at a time, first come, first served. */
export interface Turns {
  take<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  return {
    take: async (signal, run) => {
      const before = last;
      const over = Promise.withResolvers<void>();
      // A task that gives up waiting must not let the next one overtake earlier tasks.
      last = before.then(() => over.promise);
      try {
        await untilAborted(before, signal);
        return await run();
      } finally {
        over.resolve();
      }
    },
  };
}
