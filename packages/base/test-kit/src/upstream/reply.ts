import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

export interface ReplyOptions {
  /** @default 200 */
  readonly status?: number;
  /** Sent unchanged, after the reply's own headers; null removes one of those. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export type Bytes = Uint8Array | string;

/**
 * The answer to one request, at every level: whole, piece by piece, or as raw bytes. Methods that write
 * resolve once the bytes have left, with false if the connection is gone.
 */
export class Reply {
  readonly #socket: Socket;
  readonly #closeAfter: boolean;
  #finished = false;

  constructor(socket: Socket, closeAfter: boolean) {
    this.#socket = socket;
    this.#closeAfter = closeAfter;
  }

  /** Whether the answer is complete, or this side gave it up. */
  get finished(): boolean {
    return this.#finished;
  }

  /** A whole answer, with its content-length. */
  async send(body: Bytes, options: ReplyOptions = {}): Promise<boolean> {
    const length = String(Buffer.byteLength(body));
    const head = this.#head(options, { "content-length": length });
    const sent = this.raw(Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body)]));
    this.finish();
    return sent;
  }

  json(value: unknown, options: ReplyOptions = {}): Promise<boolean> {
    const headers = { "content-type": "application/json", ...options.headers };
    return this.send(JSON.stringify(value), { ...options, headers });
  }

  /** A whole event stream, one write for each event. */
  async events(events: Iterable<Bytes>, options: ReplyOptions = {}): Promise<boolean> {
    await this.startEvents(options);
    for (const event of events) await this.write(event);
    return this.end();
  }

  /** The head of a chunked answer; `write` and `end` follow. */
  start(options: ReplyOptions = {}): Promise<boolean> {
    return this.raw(this.#head(options, { "transfer-encoding": "chunked" }));
  }

  startEvents(options: ReplyOptions = {}): Promise<boolean> {
    const headers = { "content-type": "text/event-stream; charset=utf-8", ...options.headers };
    return this.start({ ...options, headers });
  }

  /** One chunk of a chunked answer. */
  write(bytes: Bytes): Promise<boolean> {
    const size = Buffer.byteLength(bytes).toString(16);
    return this.raw(
      Buffer.concat([Buffer.from(`${size}\r\n`), Buffer.from(bytes), Buffer.from("\r\n")]),
    );
  }

  /** The last chunk of a chunked answer. */
  end(trailers: Readonly<Record<string, string>> = {}): Promise<boolean> {
    const sent = this.raw(`0\r\n${headerLines(trailers)}\r\n`);
    this.finish();
    return sent;
  }

  /** Sends raw bytes. */
  raw(bytes: Bytes): Promise<boolean> {
    return new Promise((resolve) => {
      this.#socket.write(bytes, (error) => resolve(error === null || error === undefined));
    });
  }

  /** Declares an answer made of raw bytes complete. */
  finish(): void {
    this.#finished = true;
    if (this.#closeAfter) this.#socket.end();
  }

  /** Closes the connection after what was written, complete or not. */
  close(): void {
    this.#finished = true;
    this.#socket.end();
  }

  /** Resets the connection at once; bytes already written may be lost. */
  reset(): void {
    this.#finished = true;
    this.#socket.resetAndDestroy();
  }

  #head({ status = 200, headers = {} }: ReplyOptions, own: Record<string, string>): string {
    const all = Object.entries({ ...own, ...headers });
    const kept = all.filter((entry): entry is [string, string] => entry[1] !== null);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${headerLines(Object.fromEntries(kept))}\r\n`;
  }
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}
