import type { Attributes } from "@proj/opentelemetry";
import { oneForEach } from "../one-for-each.ts";

/** Where attempts are sent, as their spans say it. */
interface Server {
  readonly address: string;
  readonly port: number;
}

/** By the replica's name, which is its base URL. */
export const serverOf: (replica: string) => Server = oneForEach((replica: string) => {
  const { hostname, port, protocol } = new URL(replica);
  return { address: hostname, port: port === "" ? defaultPort(protocol) : Number(port) };
});

const defaultPort = (protocol: string): number => (protocol === "https:" ? 443 : 80);

/**
 * @param attempts the call's attempts so far, including this one
 * @param status null: no answer began
 */
export function attemptAttributes(
  { address, port }: Server,
  attempts: number,
  status: number | null,
): Attributes {
  return {
    "http.request.method": "POST",
    "server.address": address,
    "server.port": port,
    "http.request.resend_count": attempts > 1 ? attempts - 1 : undefined,
    "http.response.status_code": status ?? undefined,
  };
}
