import type { ServerResponse } from "node:http";
import type { Endpoint } from "@proj/model-apis";
import { asBuffer } from "@proj/model-apis/json";
import { type Answer, type BodySink, isEventStream } from "../call/answer.ts";
import type { Cancellable, Cancellation } from "../call/cancellation.ts";
import { type CallError, CallerGoneError } from "../errors/gateway-error.ts";
import { answerHead } from "./answer-head.ts";
import { replyError } from "./error-reply.ts";

export interface RelayOptions {
  readonly request_id: string;
  /** The requested API, which has its own form of errors. */
  readonly endpoint: Endpoint;
  /** The gateway's own headers, computed when the head is written. */
  readonly ownHeaders: () => readonly string[];
  /** Longest time for the caller to read a write, in milliseconds. */
  readonly stallMs: number;
  readonly cancellation: Cancellation;
}

/**
 * Sends an answer to the caller as it comes, no faster than the caller reads it, and settles it when the last
 * byte has left or the answer has failed.
 */
export class Relay implements BodySink, Cancellable {
  readonly #res: ServerResponse;
  readonly #answer: Answer;
  readonly #options: RelayOptions;
  /** Runs while a write waits for the caller to read it. */
  #stall: NodeJS.Timeout | null = null;
  /** The last bytes and how many of them are written; null before the body's end. */
  #tail: readonly Uint8Array[] | null = null;
  #written = 0;
  #awaitsDrain = false;

  constructor(res: ServerResponse, answer: Answer, options: RelayOptions) {
    this.#res = res;
    this.#answer = answer;
    this.#options = options;
  }

  start(): void {
    const res = this.#res;
    // Lets a caller see that its stream has begun before the first event comes.
    if (isEventStream(this.#answer) && !res.destroyed && !res.headersSent) {
      this.#writeHead(null);
      res.flushHeaders();
    }
    this.#answer.body.pipe(this);
  }

  /** Call it when the response has closed, which follows at once when the last byte has left. */
  closed(): void {
    this.#stopWatching();
    if (this.#tail === null) return;
    this.#settle(this.#res.writableFinished ? null : new CallerGoneError("the caller left"));
  }

  write(chunk: Uint8Array): boolean {
    const res = this.#res;
    if (res.destroyed) return true;
    if (!res.headersSent) this.#writeHead(null);
    if (res.write(chunk)) return true;
    this.#awaitDrain();
    this.#watchStall();
    return false;
  }

  end(tail: readonly Uint8Array[]): void {
    this.#tail = tail;
    const res = this.#res;
    if (res.destroyed) {
      this.#settle(new CallerGoneError("the caller left"));
      return;
    }
    // The inner stages are done with the answer and no longer listen.
    this.#options.cancellation.add(this);
    if (res.headersSent) {
      this.#writeTail(tail);
      return;
    }
    const length = tail.reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.#writeHead(length);
    const [only] = tail;
    if (only !== undefined && length <= smallBytes && tail.length === 1) this.#endWithHead(only);
    else this.#writeTail(tail);
  }

  cancel(reason: CallError): void {
    this.#settle(reason);
    this.#res.destroy();
  }

  fail(error: CallError): void {
    const res = this.#res;
    if (!res.destroyed && !(error instanceof CallerGoneError)) {
      const { request_id, ownHeaders, endpoint } = this.#options;
      if (res.headersSent) this.#breakOff(this.#answer.reading?.errorEvent(error) ?? null);
      else replyError(res, error, request_id, ownHeaders(), endpoint);
    }
    this.#settle(error);
  }

  /** Head and body in one string, which the system takes faster than two buffers. */
  #endWithHead(body: Uint8Array): void {
    this.#res.end(asBuffer(body).toString("latin1"), "latin1");
    this.#watchUntaken();
  }

  /** In parts, so that a caller that reads a large body slowly is seen to make progress. */
  #writeTail(tail: readonly Uint8Array[]): void {
    const res = this.#res;
    let flows = true;
    if (this.#written < tail.length - 1) {
      res.cork();
      while (flows && this.#written < tail.length - 1)
        flows = res.write(tail[this.#written++] ?? nothing);
      res.uncork();
    }
    if (flows) res.end(tail.at(-1) ?? nothing);
    else this.#awaitDrain();
    this.#watchUntaken();
  }

  #writeHead(length: number | null): void {
    const answer = this.#answer;
    const own = this.#options.ownHeaders();
    this.#res.writeHead(answer.status, answerHead(answer, this.#options, own, length));
  }

  /**
   * Ends an incomplete answer. An error event says so itself, and the body then ends normally: a reader that
   * lags behind would lose unread bytes if the connection broke. Any other body ends without its closing
   * chunk, so that nobody takes it for complete.
   */
  #breakOff(errorEvent: Uint8Array | null): void {
    const res = this.#res;
    const { socket } = res.req;
    if (errorEvent === null) socket.destroySoon();
    else {
      res.once("finish", () => socket.destroySoon());
      res.end(errorEvent);
    }
    // It waits for the caller to read what was written.
    this.#watchStall();
  }

  #awaitDrain(): void {
    if (this.#awaitsDrain) return;
    this.#awaitsDrain = true;
    this.#res.on("drain", () => {
      this.#stopWatching();
      if (this.#tail === null) this.#answer.body.resume();
      else this.#writeTail(this.#tail);
    });
  }

  /** Usually the system has taken everything by now, and there is nothing to watch. */
  #watchUntaken(): void {
    const { socket } = this.#res;
    if (socket === null || socket.writableLength > 0) this.#watchStall();
  }

  #watchStall(): void {
    const { stallMs, cancellation } = this.#options;
    if (this.#res.socket === null) {
      // An earlier answer is still on this connection; start the clock when ours gets the socket.
      this.#res.once("socket", () => this.#watchStall());
      return;
    }
    this.#stall ??= setTimeout(() => {
      cancellation.cancel(new CallerGoneError(`the caller took nothing for ${stallMs} ms`));
      this.#res.destroy();
    }, stallMs);
  }

  #stopWatching(): void {
    if (this.#stall !== null) clearTimeout(this.#stall);
    this.#stall = null;
  }

  #settle(error: CallError | null): void {
    this.#options.cancellation.remove(this);
    this.#answer.settle({ error });
  }
}

const nothing = new Uint8Array(0);
/** Up to this many bytes, one string is faster. */
const smallBytes = 2048;
