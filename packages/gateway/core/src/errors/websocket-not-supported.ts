import { GatewayError } from "./gateway-error.ts";

export const websocketNotSupported = (): GatewayError =>
  new GatewayError(
    "websocket_not_supported",
    "The gateway does not support WebSockets. Send the request as a POST.",
  );
