import { closeSession } from "../gateway/close-session.ts";
import type { GatewayClient } from "../gateway/gateway-client.ts";
import type { LauncherEvent } from "../launcher-event.ts";

type Parts = { readonly gateway: GatewayClient; readonly tell: (event: LauncherEvent) => void };

/** How long the session of an attempt that is given up may take to close, in milliseconds. */
const abortTimeoutMs = 10_000;

/** Lets the gateway forget a closed session. A failure is reported, but does not fail the attempt. */
export async function cleanSession(session_id: string, { gateway, tell }: Parts): Promise<void> {
  try {
    await gateway.clean(session_id);
  } catch (error) {
    tell({ event: "session_left_open", session_id, reason: messageOf(error) });
  }
}

/** Closes and cleans the session of an attempt that was given up, so that a straggler writes nothing. */
export async function abandonSession(session_id: string, parts: Parts): Promise<void> {
  const { gateway, tell } = parts;
  const options = { mode: "abort", reason: "interrupted", timeoutMs: abortTimeoutMs } as const;
  const { closed, error } = await closeSession(gateway, session_id, options);
  if (closed) return cleanSession(session_id, parts);
  const reason = error?.message ?? "it did not close in time";
  tell({ event: "session_left_open", session_id, reason });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
