import type { Connection } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { Tokens } from "./tokens.ts";

/** Length of Engine.IO's ids. */
const connectionIdLength = 20;

/** The connection whose id is in the header, directly before the token that it was opened with. */
export function authorizedConnection(
  header: string | undefined,
  { connections, tokens }: { readonly connections: Connections; readonly tokens: Tokens },
): Connection | null {
  const credentials = bearer(header);
  const connection = connections.get(credentials.slice(0, connectionIdLength));
  const token = tokens.find(credentials.slice(connectionIdLength));
  return connection !== undefined && connection.token === token ? connection : null;
}

/** The token in a header that has nothing else, as control resources take it, or that of a connection; null: none. */
export function tokenIn(
  header: string | undefined,
  parts: { readonly connections: Connections; readonly tokens: Tokens },
): number | null {
  return parts.tokens.find(bearer(header)) ?? authorizedConnection(header, parts)?.token ?? null;
}

const bearer = (header = ""): string => /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? "";
