import type { Connections } from "./connections.ts";

/** Those of the platform's own `fetch`: browsers, Workers, Deno and Bun. It looks after them by itself. */
export const openConnections = (): Connections => ({
  send: (url, request) => fetch(url, request),
  close: () => {},
});
