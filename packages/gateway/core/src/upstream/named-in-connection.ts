/** The headers that a `Connection` header lists; null for the usual values, which list none. */
export function namedInConnection(connection: string | undefined): readonly string[] | null {
  if (connection === undefined || connection === "keep-alive" || connection === "close")
    return null;
  return connection.split(",").map((name) => name.trim().toLowerCase());
}
