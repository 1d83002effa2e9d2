import { GatewayError } from "../errors/gateway-error.ts";

/**
 * @param escaped a route key as it is in a path
 * @throws GatewayError invalid_request
 */
export function decodeRouteKey(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    throw new GatewayError(
      "invalid_request",
      "The route key in the path has a malformed percent-escape.",
      { param: "model" },
    );
  }
}
