import type { FullContext } from "./context.ts";

/**
 * Runs around operations. Its result replaces the operation's result, which `next` resolves with; it may skip
 * `next`, throw a `Problem`, or catch a rejection of `next`.
 */
export type Hook = (context: FullContext, next: () => Promise<unknown>) => unknown;

export type Run = (context: FullContext) => unknown;

/** The first hook is the outermost. */
export function withHooks(hooks: readonly Hook[], run: Run): Run {
  return hooks.reduceRight<Run>(
    (inner, hook) => (context) => hook(context, async () => inner(context)),
    run,
  );
}
