import { GatewayError } from "./gateway-error.ts";

/** @param model the route key */
export function streamNotSupported(model: string): GatewayError {
  return new GatewayError(
    "stream_not_supported",
    `Route '${model}' does not stream. Leave 'stream' out, or set it to false.`,
    { param: "stream" },
  );
}
