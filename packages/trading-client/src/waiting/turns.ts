import { untilAborted } from "./until-aborted.ts";

/** Lets one after the other run, in the order in which they came. */
export interface Turns {
  take<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  return {
    take: async (signal, run) => {
      const before = last;
      const over = Promise.withResolvers<void>();
      // A waiter that gives up must not let the next one overtake those before it.
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
