import { GatewayError } from "./gateway-error.ts";

/** Long enough for the other gateway's request to end, and of random length, so that two do not meet again. */
const retryAfterMs = (): number => 200 + Math.round(400 * Math.random());

/** Another gateway has the session; the retry, wherever it goes, binds it there. */
export function sessionMoved(session_id: string): GatewayError {
  const message = `Session '${session_id}' has moved to another gateway, and nothing of this request is recorded. Try again.`;
  return new GatewayError("session_moved", message, { retryAfterMs: retryAfterMs() });
}
