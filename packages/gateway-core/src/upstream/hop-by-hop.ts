/** Headers that concern one connection alone (RFC 9110 7.6.1, and what older software still sends). */
export const hopByHopHeaders: readonly string[] = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** The headers that a `Connection` header names as its own; null for the usual values, which name none. */
export function namedInConnection(connection: string | undefined): readonly string[] | null {
  if (connection === undefined || connection === "keep-alive" || connection === "close")
    return null;
  return connection.split(",").map((name) => name.trim().toLowerCase());
}
