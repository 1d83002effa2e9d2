import { connect, type Socket } from "node:net";
import { ChangeSignal } from "./change-signal.ts";
import { within } from "./time-out.ts";

/** A client's side of a connection, byte by byte. */
export class RawConnection implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];
  readonly #closed = Promise.withResolvers<void>();
  readonly #change = new ChangeSignal();
  /** The error that ended the connection, such as a reset. */
  error: NodeJS.ErrnoException | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("error", (error) => {
      this.error = error;
    });
    socket.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#change.announce();
    });
    socket.once("close", () => {
      this.#closed.resolve();
      this.#change.announce();
    });
  }

  /** Everything received so far. */
  get received(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Resolves with false if the connection is gone. */
  write(bytes: Uint8Array | string): Promise<boolean> {
    return new Promise((resolve) => {
      this.#socket.write(bytes, (error) => resolve(error === null || error === undefined));
    });
  }

  /** Ends the sending half only. */
  end(): void {
    this.#socket.end();
  }

  /** Closes as a process that exits would. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Closes with a TCP reset. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Stops reading for now, so that the other side's writes block. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Resolves with everything received, once it contains the text. */
  async readUntil(text: string, timeoutMs?: number): Promise<string> {
    const missing = (): string =>
      `"${text}" on a raw connection; received so far: "${this.received}"`;
    for (;;) {
      const received = this.received.toString();
      if (received.includes(text)) return received;
      if (this.#socket.destroyed) throw new Error(`The connection closed before ${missing()}.`);
      await within(this.#change.next, missing, timeoutMs);
    }
  }

  /** Resolves with everything received, once the connection has closed in any way. */
  async readUntilClosed(timeoutMs?: number): Promise<Buffer> {
    const what = (): string => `a raw connection to close; received so far: "${this.received}"`;
    await within(this.#closed.promise, what, timeoutMs);
    return this.received;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.destroy();
    await this.#closed.promise;
  }
}

/** Connects to 127.0.0.1 and sends the bytes unchanged. */
export async function rawRequest(
  port: number,
  bytes: Uint8Array | string = "",
): Promise<RawConnection> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1", resolve);
  socket.once("error", reject);
  await within(promise, `a connection to port ${port}`);
  socket.off("error", reject);
  const connection = new RawConnection(socket);
  if (bytes.length > 0) await connection.write(bytes);
  return connection;
}
