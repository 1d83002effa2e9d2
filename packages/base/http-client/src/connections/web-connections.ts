import type { openConnections as inNode } from "./node-connections.ts";

/** Chromium gives an answer 304 an empty body, and axios puts each body into a `Response`, which refuses it for a 304. */
const withoutEmptyBody: typeof fetch = async (...given) => {
  const answer = await fetch(...given);
  return answer.status === 304 ? new Response(null, answer) : answer;
};
// Axios keeps an adapter for each set of these for ever, so all clients have the same.
const env = { fetch: withoutEmptyBody };

/** The platform's own `fetch` (browsers, Workers, Deno and Bun), which manages its connections by itself. */
export const openConnections: typeof inNode = () => ({ config: { env }, close: () => {} });
