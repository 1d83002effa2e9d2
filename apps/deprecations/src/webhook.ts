import { type BuildResult, notifyOfChanges } from "@proj/deprecation-feed";
import { UsageError } from "@proj/program";

/** Sends the news of a run. A failed delivery is printed, and does not undo the run. */
export type Notify = (result: BuildResult, signal: AbortSignal) => Promise<void>;

/**
 * @param url null: sends nothing
 * @throws UsageError the environment has no secret to sign with
 */
export function notifier(url: string | null): Notify {
  if (url === null) return async () => {};
  const secret = process.env.DEPRECATIONS_WEBHOOK_SECRET ?? "";
  if (!/^(?:whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/.test(secret))
    throw new UsageError(
      "--webhook needs DEPRECATIONS_WEBHOOK_SECRET: 'whsec_' and at least 24 bytes in base64",
    );
  return async ({ state, isFirstRun }, signal) => {
    // A first run would announce every model there is.
    if (isFirstRun) return;
    await notifyOfChanges(state, { url, secret }, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      console.error(error instanceof Error ? error.message : String(error));
    });
  };
}
