import type { ServerResponse } from "node:http";
import { type CallError, CallerGoneError } from "../gateway-error.ts";
import { type Answer, type BodySink, isEventStream } from "../pipeline/answer.ts";
import type { Cancellable, Cancellation } from "../pipeline/cancellation.ts";
import { answerHead } from "./answer-head.ts";
import { replyError } from "./error-reply.ts";

export interface RelayOptions {
  readonly request_id: string;
  /** Headers of the gateway's own, asked for when the head is written. */
  readonly ownHeaders: () => readonly string[];
  /** Longest time that the caller may leave a write untaken, in milliseconds. */
  readonly stallMs: number;
  readonly cancellation: Cancellation;
}

/**
 * Sends an answer to the caller, as it comes and no faster than the caller takes it, and settles
 * it when the last byte has left or the answer has failed.
 */
export function relay(res: ServerResponse, answer: Answer, options: RelayOptions): void {
  new Relay(res, answer, options).start();
}

class Relay implements BodySink, Cancellable {
  readonly #res: ServerResponse;
  readonly #answer: Answer;
  readonly #options: RelayOptions;
  /** Runs while a write waits for the caller to take it. */
  #stall: NodeJS.Timeout | null = null;
  /** The last bytes and how many of them were written; null before the body's end. */
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
    // It follows at once where the last byte has left.
    res.on("close", () => {
      this.#stopWatching();
      if (this.#tail === null) return;
      this.#settle(res.writableFinished ? null : new CallerGoneError("the caller left"));
    });
    // A caller sees that its stream has begun before its first event comes.
    if (isEventStream(this.#answer) && !res.destroyed) {
      this.#writeHead(null);
      res.flushHeaders();
    }
    this.#answer.body.pipe(this);
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
    // Whoever is further in has done with it, and listens no more.
    this.#options.cancellation.add(this);
    if (!res.headersSent)
      this.#writeHead(tail.reduce((length, bytes) => length + bytes.byteLength, 0));
    this.#writeTail(tail);
  }

  cancel(reason: CallError): void {
    this.#settle(reason);
    this.#res.destroy();
  }

  fail(error: CallError): void {
    const res = this.#res;
    if (!res.destroyed && !(error instanceof CallerGoneError)) {
      const { request_id, ownHeaders } = this.#options;
      if (res.headersSent) this.#cut(this.#answer.reading?.errorEvent(error) ?? null);
      else replyError(res, error, request_id, ownHeaders());
    }
    this.#settle(error);
  }

  /** A part at a time, so that a caller which takes a large body slowly is seen to take it. */
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
    // Mostly the system has taken all of it by now.
    if (res.socket === null || res.socket.writableLength > 0) this.#watchStall();
  }

  #writeHead(length: number | null): void {
    const { ownHeaders, request_id } = this.#options;
    const answer = this.#answer;
    this.#res.writeHead(answer.status, answerHead(answer, ownHeaders(), request_id, length));
  }

  /** Ends a connection so that nobody takes the answer for whole: without its closing chunk. */
  #cut(lastBytes: Uint8Array | null): void {
    const res = this.#res;
    const close = (): void => {
      if (res.socket === null) res.destroy();
      else res.socket.destroySoon();
    };
    // Node corks the socket for a moment at each write, and what is corked does not outlive the socket.
    if (lastBytes === null) close();
    else res.write(lastBytes, close);
    // It waits for the caller to take what was written.
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

  #watchStall(): void {
    const { stallMs, cancellation } = this.#options;
    if (this.#res.socket === null) {
      // Its turn on the connection has not come: another answer is what the caller has to take.
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
