import { firstMessage, type PinnedProcess } from "../machine/pinned-process.ts";

/**
 * The first IPC message that `accept` recognises.
 * @param awaited what the message reports, for the error: "the client to be connected"
 * @throws Error it did not come in time, or the process ended
 */
export async function messageWithin<T>(
  started: PinnedProcess,
  accept: (message: unknown) => T | undefined,
  awaited: string,
  timeoutMs = 30_000,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const complaint = started.complaint();
    const said = complaint === "" ? "" : `; it said: ${complaint}`;
    late.reject(new Error(`waited ${timeoutMs} ms for ${awaited}${said}`));
  }, timeoutMs);
  return Promise.race([firstMessage(started, accept), late.promise]).finally(() =>
    clearTimeout(timer),
  );
}
