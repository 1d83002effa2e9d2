import { listenInside } from "./listen-inside.ts";
import { sessionPort } from "./session-address.ts";
import { sessionProxy } from "./session-proxy.ts";

/** Of one agent, at a time. */
const maxConnections = 256;

/**
 * Makes a session's endpoint reachable at `sessionPort` in the network of a sandboxed command.
 * @param mark of the command
 * @param llm_base_url the session's at the gateway
 * @returns closes it, and every connection
 * @throws Error its network cannot be entered; the signal's reason
 */
export async function openSessionNetwork(
  mark: string,
  llm_base_url: string,
  signal: AbortSignal,
): Promise<() => void> {
  const listener = await listenInside(mark, sessionPort, signal);
  const proxy = sessionProxy(new URL(llm_base_url));
  listener.maxConnections = maxConnections;
  // As in every HTTP server: a caller may end its side and still wait for the answer.
  Object.assign(listener, { allowHalfOpen: true });
  listener.on("connection", (socket) => proxy.accept(socket));
  return () => {
    listener.close();
    proxy.close();
  };
}
