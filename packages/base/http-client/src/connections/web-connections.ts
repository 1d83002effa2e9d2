import type { Connections } from "./connections.ts";

/** The platform's own `fetch` (browsers, Workers, Deno and Bun), which manages its connections by itself. */
export const openConnections = (): Connections => ({
  send: (url, request) => fetch(url, request),
  close: () => {},
});
