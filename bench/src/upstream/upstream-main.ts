/**
 * A child process of the bench: an OpenAI-like upstream on raw sockets, as fast as Node can be, so that the
 * measurement is about the server under test. A body with `"stream":true` is answered with a stream;
 * `"user":"pace-20ms"` sets the pause between its chunks, by default none.
 */
import { createServer, type Socket } from "node:net";
import { listenForBench } from "../machine/listen.ts";
import { PLAIN_RESPONSE, STREAM_WRITES } from "./canned-answers.ts";

/** Only small bodies may ask for a stream; larger ones are counted, not read. */
const LARGEST_INSPECTED_BODY = 4096;
const HEAD_END = "\r\n\r\n";

class Connection {
  readonly #socket: Socket;
  /** Bytes of a head or small body that is not complete yet. */
  #carried: Buffer | undefined;
  /** Bytes of a large body that have not arrived yet. */
  #bodyLeft = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => this.#take(bytes));
    socket.on("error", () => socket.destroy());
  }

  #take(received: Buffer): void {
    let bytes = received;
    if (this.#carried !== undefined) {
      bytes = Buffer.concat([this.#carried, received]);
      this.#carried = undefined;
    }
    while (bytes.length > 0) {
      if (this.#bodyLeft > 0) {
        const taken = Math.min(this.#bodyLeft, bytes.length);
        this.#bodyLeft -= taken;
        bytes = bytes.subarray(taken);
        if (this.#bodyLeft === 0) this.#answerWhole();
        continue;
      }
      const headEnd = bytes.indexOf(HEAD_END, 0, "latin1");
      if (headEnd < 0) {
        this.#carried = bytes;
        return;
      }
      const bodyStart = headEnd + HEAD_END.length;
      const head = bytes.toString("latin1", 0, headEnd);
      const length = contentLength(head);
      if (length === null) {
        this.#socket.end("HTTP/1.1 411 Length Required\r\ncontent-length: 0\r\n\r\n");
        return;
      }
      if (length > LARGEST_INSPECTED_BODY) {
        this.#bodyLeft = length;
        bytes = bytes.subarray(bodyStart);
        continue;
      }
      if (bytes.length < bodyStart + length) {
        this.#carried = bytes;
        return;
      }
      this.#answer(bytes.toString("latin1", bodyStart, bodyStart + length));
      bytes = bytes.subarray(bodyStart + length);
    }
  }

  #answer(body: string): void {
    if (!/"stream": ?true/.test(body)) {
      this.#answerWhole();
      return;
    }
    const pause = Number(/"user": ?"pace-(\d+)ms"/.exec(body)?.[1] ?? 0);
    this.#stream(0, pause);
  }

  #answerWhole(): void {
    this.#socket.write(PLAIN_RESPONSE);
  }

  #stream(index: number, pause: number): void {
    const chunk = STREAM_WRITES[index];
    if (chunk === undefined || this.#socket.destroyed) return;
    this.#socket.write(chunk);
    if (pause > 0) setTimeout(() => this.#stream(index + 1, pause), pause);
    else setImmediate(() => this.#stream(index + 1, pause));
  }
}

function contentLength(head: string): number | null {
  if (head.startsWith("GET ")) return 0;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return length === undefined ? null : Number(length);
}

const server = createServer((socket) => new Connection(socket));
listenForBench(server);
