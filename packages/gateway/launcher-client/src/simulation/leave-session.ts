import { closeSession } from "../gateway/close-session.ts";
import type { Launch } from "../launch.ts";
import { simulationTraceparent } from "../tracing/attempt-spans.ts";

type Parts = Pick<Launch, "gateway" | "tell">;

/** How long the session of an abandoned attempt may take to close, in milliseconds. */
const abortTimeoutMs = 10_000;

/** Has the gateway forget a closed session. A failure is reported but does not fail the attempt. */
export async function cleanSession(session_id: string, { gateway, tell }: Parts): Promise<void> {
  try {
    await gateway.clean(session_id);
  } catch (error) {
    tell({ event: "session_left_open", session_id, reason: messageOf(error) });
  }
}

/** Closes and cleans the session of an abandoned attempt, so that a straggling agent writes nothing. */
export async function abandonSession(
  session_id: string,
  parts: Parts & Pick<Launch, "tracing">,
): Promise<void> {
  const { gateway, tell, tracing } = parts;
  const { closed, error } = await closeSession(gateway, session_id, {
    ...{ mode: "abort", reason: "interrupted", timeoutMs: abortTimeoutMs },
    traceparent: simulationTraceparent(tracing, session_id),
  });
  if (closed) return cleanSession(session_id, parts);
  const reason = error?.message ?? "it did not close in time";
  tell({ event: "session_left_open", session_id, reason });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
