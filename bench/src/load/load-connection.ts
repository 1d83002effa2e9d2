import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { ResponseParser } from "./response-parser.ts";

/** One buffer serves all connections: every read is processed before the next. */
const READ_BUFFER = Buffer.allocUnsafe(256 * 1024);

export interface LoadConnectionEvents {
  /** Called when the whole answer has arrived; times are those of `performance.now()`. */
  readonly onAnswer: (connection: LoadConnection) => void;
  /** Called once, when the connection can no longer be used. */
  readonly onFailure: (connection: LoadConnection, reason: string) => void;
}

/** A keep-alive connection with at most one request in flight. */
export class LoadConnection {
  readonly index: number;
  readonly parser: ResponseParser = new ResponseParser();
  sentAt = 0;
  /** When the first byte of the answer's body arrived; 0 before. */
  firstByteAt = 0;
  busy = false;
  /** Whether `onFailure` was called, or the connection was closed. */
  failed = false;
  readonly #socket: Socket;
  readonly #events: LoadConnectionEvents;

  constructor(index: number, port: number, events: LoadConnectionEvents) {
    this.index = index;
    this.#events = events;
    this.#socket = connect({
      host: "127.0.0.1",
      port,
      noDelay: true,
      onread: { buffer: READ_BUFFER, callback: (count) => this.#take(count) },
    });
    this.#socket.on("error", (error) => this.#fail(error.message));
    this.#socket.on("close", () => this.#fail("the server closed the connection"));
  }

  async opened(): Promise<void> {
    if (this.#socket.connecting) await once(this.#socket, "connect");
  }

  send(head: string | Buffer, body: readonly Buffer[]): void {
    this.busy = true;
    this.firstByteAt = 0;
    this.parser.reset();
    this.sentAt = performance.now();
    if (body.length === 0) {
      this.#socket.write(head);
      return;
    }
    this.#socket.cork();
    this.#socket.write(head);
    for (const part of body) this.#socket.write(part);
    this.#socket.uncork();
  }

  close(): void {
    this.failed = true;
    this.#socket.destroy();
  }

  #take(count: number): boolean {
    if (this.failed) return false;
    try {
      const complete = this.parser.push(READ_BUFFER.subarray(0, count));
      if (this.firstByteAt === 0 && this.parser.bodyBytes > 0) this.firstByteAt = performance.now();
      if (complete) {
        this.busy = false;
        this.#events.onAnswer(this);
      }
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
    return true;
  }

  #fail(reason: string): void {
    if (this.failed) return;
    this.close();
    this.#events.onFailure(this, reason);
  }
}
