import { GatewayError } from "../errors/gateway-error.ts";

/** A step is not taken because its row could not be stored. */
export function unavailable(why: string): GatewayError {
  const message = `The step cannot be recorded: ${why}. Try again.`;
  return new GatewayError("telemetry_unavailable", message, { retryAfterMs: 1_000 });
}
