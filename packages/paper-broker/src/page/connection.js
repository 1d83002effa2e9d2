import { io } from "../socket.io/socket.io.esm.min.js";

/**
 * The interface as any client uses it: a connection, and requests whose header names it. Calls
 * `opened` for every new connection, as subscriptions end with the old one.
 */
export function connect(token, { opened, closed, refused }) {
  const socket = io({ query: { access_token: token } });
  const id = () => socket.io.engine.id;
  socket.on("connect", () => opened());
  socket.on("disconnect", () => closed());
  socket.on("connect_error", ({ context, description }) => {
    // Of the handshake's request; other errors are tried again.
    if ((context?.status ?? description) !== 403) return closed();
    socket.close();
    refused();
  });

  /** Throws what a person is to read. */
  async function ask(path, options) {
    const response = await fetch(path, {
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
    get: (path, fields = []) => ask(`${path}?${new URLSearchParams(fields)}`),
    post: (path, fields) => ask(path, { method: "POST", body: new URLSearchParams(fields) }),
    /** Every push is a JSON string. */
    on: (event, listener) => socket.on(event, (json) => listener(JSON.parse(json))),
  };
}
