import type { IncomingHttpHeaders } from "node:http";
import { GatewayError } from "../errors/gateway-error.ts";

/** Whether the answer sends its caller elsewhere, where clients would follow it past the gateway. */
export const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/**
 * The error in place of a redirect. It names the target without its credentials and query.
 * @param replica the URL that was asked
 */
export function redirectError(
  model: string,
  replica: string,
  status: number,
  { location }: IncomingHttpHeaders,
): GatewayError {
  const target = location === undefined ? null : URL.parse(location, `${replica}/`);
  const where = target === null ? "elsewhere" : `to ${target.origin}${target.pathname}`;
  return new GatewayError(
    "upstream_invalid_response",
    `The upstream of model '${model}' at ${replica} redirects requests (${status}) ${where}. Set base_url so that it answers them itself.`,
    { retryable: false },
  );
}
