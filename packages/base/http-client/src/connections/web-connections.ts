import type { openConnections as inNode } from "./node-connections.ts";

/** The platform's own `fetch` (browsers, Workers, Deno and Bun), which manages its connections by itself. */
export const openConnections: typeof inNode = () => ({ options: () => ({}), close: () => {} });
