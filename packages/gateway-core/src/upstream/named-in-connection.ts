/** The headers that a `Connection` header names as its own; null for the usual values, which name none. */
export function namedInConnection(connection: string | undefined): readonly string[] | null {
  if (connection === undefined || connection === "keep-alive" || connection === "close")
    return null;
  return connection.split(",").map((name) => name.trim().toLowerCase());
}
