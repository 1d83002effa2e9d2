import { createServer, type Socket } from "node:net";
import { ChangeSignal } from "../change-signal.ts";
import { listen } from "../listen.ts";
import { within } from "../time-out.ts";
import { RecordedRequest } from "./recorded-request.ts";
import { Reply } from "./reply.ts";
import { RequestParser } from "./request-parser.ts";

/** Answers a request, well or badly. The upstream's `close` rethrows what it throws. */
export type ReplyHandler = (request: RecordedRequest, reply: Reply) => void | Promise<void>;

export interface FaultyUpstream extends AsyncDisposable {
  /** The base URL, ending in `/v1`. */
  readonly url: string;
  readonly port: number;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Connections opened so far, and those open now. */
  readonly connections: number;
  readonly openConnections: number;
  /** The next request that this function has not returned yet, once its body is complete. */
  nextRequest(timeoutMs?: number): Promise<RecordedRequest>;
  /** Handlers for the next requests, one each; after them the upstream's own handler answers again. */
  script(...handlers: readonly ReplyHandler[]): void;
  /** Cuts every connection; rejects with the first error of a handler or in a caller's request. */
  close(): Promise<void>;
}

/**
 * Starts an upstream that does exactly what a test says, down to the byte.
 * @param handler answers all requests that no script answers; without it they wait for the test,
 * which takes them from `nextRequest` and answers through their `reply`
 */
export async function startFaultyUpstream(handler?: ReplyHandler): Promise<FaultyUpstream> {
  const requests: RecordedRequest[] = [];
  const scripted: ReplyHandler[] = [];
  const errors: unknown[] = [];
  let connections = 0;
  let openConnections = 0;
  let given = 0;
  const arrival = new ChangeSignal();

  const receive = async (request: RecordedRequest): Promise<void> => {
    requests.push(request);
    arrival.announce();
    await (scripted.shift() ?? handler)?.(request, request.reply);
  };

  const connect = (socket: Socket): void => {
    const connection = ++connections;
    openConnections++;
    let orderOnConnection = 0;
    const parser = new RequestParser();
    const closed = Promise.withResolvers<void>();
    const fail = (error: unknown): void => {
      errors.push(error);
      socket.destroy();
    };
    socket.setNoDelay(true);
    socket.once("close", () => {
      openConnections--;
      closed.resolve();
    });
    // A reset is one way for a caller to leave.
    socket.on("error", () => {});
    // None of our callers ends only its half: this caller has left.
    socket.on("end", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      try {
        for (const parsed of parser.push(chunk)) {
          const place = {
            order: requests.length + 1,
            connection,
            orderOnConnection: ++orderOnConnection,
          };
          const reply = new Reply(socket, parsed.headers.connection === "close");
          const request = new RecordedRequest(place, parsed, reply, closed.promise);
          receive(request).catch(fail);
        }
      } catch (error) {
        fail(error);
      }
    });
  };

  const server = await listen(createServer(connect));
  const close = async (): Promise<void> => {
    await server.close();
    if (errors.length > 0) throw errors[0];
  };
  return {
    url: `${server.url}/v1`,
    port: server.port,
    requests,
    get connections() {
      return connections;
    },
    get openConnections() {
      return openConnections;
    },
    async nextRequest(timeoutMs) {
      const order = ++given;
      const what = (): string => `request ${order}; there were ${requests.join(", ") || "none"}`;
      for (;;) {
        const request = requests[order - 1];
        if (request !== undefined) return request;
        await within(arrival.next, what, timeoutMs);
      }
    },
    script: (...handlers) => void scripted.push(...handlers),
    close,
    [Symbol.asyncDispose]: close,
  };
}
