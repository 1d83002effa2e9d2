import { closeSession } from "../gateway/close-session.ts";
import type { Launch } from "../launch.ts";
import { simulationTraceparent } from "../tracing/attempt-spans.ts";

type Parts = Pick<Launch, "gateway" | "tell">;
type AbandonedParts = Parts & Pick<Launch, "tracing" | "runtime">;

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

/**
 * Ends an abandoned attempt's agent, wherever it runs, and closes and cleans its session, so that a straggling agent
 * writes nothing.
 */
export async function abandonSession(session_id: string, parts: AbandonedParts): Promise<void> {
  const { gateway, tell, tracing, runtime } = parts;
  const ending = runtime.abandon?.(session_id).catch((error: unknown) => {
    tell({ event: "session_left_open", session_id, reason: messageOf(error) });
  });
  const { closed, error } = await closeSession(gateway, session_id, {
    ...{ mode: "abort", reason: "interrupted", timeoutMs: abortTimeoutMs },
    traceparent: simulationTraceparent(tracing, session_id),
  });
  await ending;
  if (closed) return cleanSession(session_id, parts);
  const reason = error?.message ?? "it did not close in time";
  tell({ event: "session_left_open", session_id, reason });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
