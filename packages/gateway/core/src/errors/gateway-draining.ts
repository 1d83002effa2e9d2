import { GatewayError } from "./gateway-error.ts";

export const gatewayDraining = (): GatewayError =>
  new GatewayError(
    "gateway_draining",
    "The gateway is shutting down. Try again, or try another gateway.",
    { retryAfterMs: 1_000 },
  );
