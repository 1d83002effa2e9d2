import { addAbortListener } from "node:events";
import connectSocket from "socket.io-client";
import { NotConnectedError } from "../errors/not-connected-error.ts";
import { createClosableAgent } from "./closable-agent.ts";
import type { Link } from "./link.ts";
import { PushListeners } from "./push-listeners.ts";
import { type Engine, watchSilence } from "./watch-silence.ts";

export interface LinkOptions {
  /** `http(s)://host[:port][/prefix]` */
  readonly url: string;
  readonly token: string;
  readonly userAgent: string;
  /** Milliseconds without any packet after which the connection is given up; 0: none. */
  readonly quietMs: number;
  /** The server has answered after a silence. */
  readonly onAlive: () => void;
}

/**
 * Opens a connection: the handshake by polling, then the upgrade to a WebSocket. Each connection is a
 * new socket without automatic reconnection, so that no event of an old one can leak into a new one.
 * @throws NotConnectedError the token was refused
 * @throws Error connecting failed, or the signal's reason
 */
export async function openLink(options: LinkOptions, signal: AbortSignal): Promise<Link> {
  signal.throwIfAborted();
  const { protocol, origin, pathname } = new URL(options.url);
  const agent = createClosableAgent(protocol === "https:");
  const transport = { agent: agent.agent, extraHeaders: { "User-Agent": options.userAgent } };
  const socketOptions = {
    path: `${pathname.replace(/(?<!\/)\/+$/, "")}/socket.io`,
    query: { access_token: options.token },
    forceNew: true,
    reconnection: false,
    // In effect none: the signal is the time-out.
    timeout: 2 ** 31 - 1,
    perMessageDeflate: false,
    // Node's own WebSocket accepts neither the agent nor the headers.
    transportOptions: { polling: transport, websocket: { ...transport, forceNode: true } },
  };
  const broken = new AbortController();
  const opened = Promise.withResolvers<string>();
  const socket = connectSocket(origin, socketOptions);
  let endWatch = (): void => undefined;
  const close = (reason: string | Error): void => {
    if (broken.signal.aborted) return;
    const error = reason instanceof Error ? reason : new Error(reason);
    endWatch();
    broken.abort(error);
    opened.reject(error);
    socket.close();
    agent.close();
  };
  const pushes = new PushListeners(socket, (error) =>
    close(
      new Error(`${options.url} sent something other than a Socket.IO message: ${describe(error)}`),
    ),
  );
  socket.on("connect", () => opened.resolve(socket.id));
  socket.on("connect_error", (error: unknown) => close(handshakeError(options.url, error)));
  socket.on("error", (error: unknown) =>
    close(new Error(`${options.url} ended the connection: ${describe(error)}`)),
  );
  socket.on("disconnect", (reason: string) => close(`the connection ended (${reason})`));
  const link = addAbortListener(signal, () => close(reasonOf(signal)));
  const connectionId = await opened.promise.finally(() => link[Symbol.dispose]());
  endWatch = watchSilence(engineOf(socket), options.quietMs, {
    onAlive: options.onAlive,
    onSilent: () => close(`the server was silent for ${options.quietMs} ms`),
  });
  return {
    connectionId,
    broken: broken.signal,
    on: (event, listener) => pushes.on(event, listener),
    off: (event) => pushes.off(event),
    close,
  };
}

function engineOf(socket: { readonly io: object }): Engine {
  return (socket.io as { readonly engine: Engine }).engine;
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason), { cause: reason });
}

function handshakeError(url: string, error: unknown): Error {
  // The transport's error holds the status in its description; 0: no answer.
  const { description }: Readonly<Record<string, unknown>> =
    error instanceof Error ? { ...error } : {};
  const status = typeof description === "number" && description > 0 ? description : null;
  if (status === 401 || status === 403) {
    return new NotConnectedError("refused", `${url} does not accept the token (${status})`, error);
  }
  const what = status === null ? "there is no connection" : `the handshake was answered ${status}`;
  return new Error(`Cannot connect to ${url}: ${what} (${describe(error)})`, { cause: error });
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : JSON.stringify(error);
}
