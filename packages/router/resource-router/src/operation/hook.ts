import type { FullContext } from "./context.ts";
import type { Run } from "./exchange.ts";

/**
 * Runs around operations. Its result replaces the operation's result, which `next` resolves with; it may skip
 * `next`, throw a `Problem`, or catch a rejection of `next`. Calling `next` twice is an error.
 */
export type Hook = (context: FullContext, next: () => Promise<unknown>) => unknown;

/** The first hook is the outermost. */
export function withHooks(hooks: readonly Hook[], run: Run): Run {
  return hooks.reduceRight<Run>((inner, hook) => (exchange) => runHook(hook, exchange, inner), run);
}

async function runHook(hook: Hook, exchange: Parameters<Run>[0], inner: Run): Promise<unknown> {
  let isCalled = false;
  let twice: Error | null = null;
  const next = (): Promise<unknown> => {
    if (!isCalled) {
      isCalled = true;
      return (async () => inner(exchange))();
    }
    twice = new Error("A hook called 'next' more than once.");
    const refused = Promise.reject(twice);
    // A hook that does not await it must not end the process.
    refused.catch(() => {});
    return refused;
  };
  const result = await hook(exchange, next);
  if (twice !== null) throw twice;
  return result;
}
