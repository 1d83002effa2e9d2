import { io } from "../socket.io/socket.io.esm.min.js";
import { markServer, reach } from "./server.js";

/**
 * The interface as any client uses it: a connection, and requests whose header names it. Calls `opened` for every
 * new connection, because subscriptions end with the old one.
 */
export function connect(token, { opened, closed, refused }) {
  const socket = io({ query: { access_token: token } });
  const id = () => socket.io.engine.id;
  socket.on("connect", () => {
    markServer(false);
    opened();
  });
  socket.on("disconnect", () => {
    markServer(true);
    closed();
  });
  socket.on("connect_error", ({ context, description }) => {
    // The status of the handshake. A refused token stays refused; everything else is tried again.
    const status = context?.status ?? description;
    if (status !== 403)
      return closed(status === 503 ? "The server has too many connections" : undefined);
    socket.close();
    refused();
  });

  /** @throws Error with a message for the user */
  async function ask(path, options) {
    const response = await reach(path, {
      ...options,
      headers: { authorization: `Bearer ${id()}${token}`, accept: "application/json" },
      signal: AbortSignal.timeout(15_000),
    });
    const answer = await response.json();
    if (!answer.response.executed && !Array.isArray(answer.candles)) {
      throw new Error(answer.message ?? answer.response.error);
    }
    return answer;
  }

  return {
    /** Fetches a report; control resources need only the token. @throws Error with a message for the user */
    report: async (query) => {
      const response = await reach(`control/report?${new URLSearchParams(query)}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(30_000),
      });
      if (!response.ok) throw new Error(`The server answered ${response.status}.`);
      return response;
    },
    get: (path, fields = []) => ask(`${path}?${new URLSearchParams(fields)}`),
    post: (path, fields) => ask(path, { method: "POST", body: new URLSearchParams(fields) }),
    /** Every push is a JSON string. */
    on: (event, listener) => socket.on(event, (json) => listener(JSON.parse(json))),
  };
}
