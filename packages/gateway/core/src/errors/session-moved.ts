import { GatewayError } from "./gateway-error.ts";

/** Long enough for the other gateway's request to end; random, so that two retries do not collide again. */
const retryAfterMs = (): number => 200 + Math.round(400 * Math.random());

/** Another gateway has the session. The retry binds it to the gateway that it reaches. */
export function sessionMoved(session_id: string): GatewayError {
  const message = `Session '${session_id}' has moved to another gateway, and this request is not recorded. Try again.`;
  return new GatewayError("session_moved", message, { retryAfterMs: retryAfterMs() });
}
