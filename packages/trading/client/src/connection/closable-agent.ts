import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** How long written data may take to be sent after `close`, in milliseconds. */
const lingerMs = 1_000;

/**
 * An agent that can end all of its connections. The streaming library leaves some open: a pending
 * poll, and a WebSocket that waits half a minute for the peer's close frame.
 */
export interface ClosableAgent {
  readonly agent: HttpAgent;
  /** Ends all connections once written data has been sent. */
  close(): void;
}

export function createClosableAgent(isSecure: boolean): ClosableAgent {
  const agent = isSecure ? new HttpsAgent() : new HttpAgent();
  const sockets = new Set<Duplex>();
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback);
    if (socket) {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    }
    return socket;
  };
  return {
    agent,
    close: () => {
      for (const socket of sockets) {
        if (socket instanceof Socket) socket.destroySoon();
        // In case the peer has stopped reading.
        const timer = setTimeout(() => socket.destroy(), lingerMs);
        socket.once("close", () => clearTimeout(timer));
      }
    },
  };
}
