import { Worker } from "node:worker_threads";
import type { AnswerFacts } from "@proj/model-apis";
import { type EncodedAnswer, readEncodedAnswer } from "./read-encoded-answer.ts";

/** Larger answers, decoded or not, would hold up the event loop while they are parsed. */
const maxHereBytes = 128 * 1024;
const maxWaitMs = 60_000;
const maxDecodingMs = 30_000;
/** A thread that nobody needs ends, and gives back what parsing has taken. */
const idleMs = 5_000;
/** Parsing a text takes several times its size. One that needs more ends the thread, not the gateway. */
const maxHeapMiB = 2_048;

type Reply =
  | { readonly facts: AnswerFacts }
  | { readonly facts?: undefined; readonly error: unknown };

/** An answer that has been read. */
export interface DecodedAnswer {
  readonly facts: AnswerFacts;
  /** Its text is no longer in memory. */
  release(): void;
}

/**
 * Decodes answers: large ones on a thread, one at a time, and only while the texts that came of earlier ones leave room
 * for another. A few kilobytes on the wire may be a gigabyte.
 */
export class AnswerDecoder {
  readonly #maxBytes: number;
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;
  #held = 0;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;

  /** @param maxBytes of decoded answers in memory at once; one larger answer has room when there is no other */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws Error it cannot be decoded, or not in time */
  async read(answer: EncodedAnswer): Promise<DecodedAnswer> {
    if (answer.bytes.length <= maxHereBytes) {
      try {
        return { facts: await readEncodedAnswer(answer, maxHereBytes), release: () => {} };
      } catch (error) {
        if (!isTooLarge(error)) throw error;
      }
    }
    await this.#turn(answer.maxCaptureBytes);
    let bytes = 0;
    try {
      const facts = await this.#readOnThread(answer);
      bytes = facts.text?.length ?? 0;
      this.#held += bytes;
      return { facts, release: () => this.#release(bytes) };
    } finally {
      this.#isBusy = false;
      this.#next();
    }
  }

  #hasRoom(bytes: number): boolean {
    return !this.#isBusy && (this.#held === 0 || this.#held + bytes <= this.#maxBytes);
  }

  /** @throws Error the time is up */
  async #turn(bytes: number): Promise<void> {
    const deadline = performance.now() + maxWaitMs;
    while (!this.#hasRoom(bytes)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      const timer = setTimeout(resolve, deadline - performance.now());
      await promise;
      clearTimeout(timer);
      const place = this.#waiting.indexOf(resolve);
      if (place >= 0) this.#waiting.splice(place, 1);
      if (performance.now() >= deadline)
        throw new RangeError("too many large answers were being decoded");
    }
    this.#isBusy = true;
  }

  #release(bytes: number): void {
    this.#held -= bytes;
    this.#next();
  }

  #next(): void {
    this.#waiting.shift()?.();
  }

  #readOnThread(answer: EncodedAnswer): Promise<AnswerFacts> {
    clearTimeout(this.#idle);
    this.#worker ??= new Worker(
      new URL(import.meta.resolve("@proj/gateway-core/decoding-worker")),
      { name: "answer decoder", resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB } },
    );
    const worker = this.#worker;
    worker.ref();
    return new Promise<AnswerFacts>((resolve, reject) => {
      const fail = (error: unknown): void => {
        clearTimeout(timer);
        if (this.#worker === worker) this.#worker = null;
        void worker.terminate();
        reject(error);
      };
      const timer = setTimeout(() => fail(new RangeError("decoding took too long")), maxDecodingMs);
      const ended = (): void => fail(new RangeError("the thread that decoded it ended"));
      worker.once("error", fail).once("exit", ended);
      worker.once("message", (reply: Reply) => {
        clearTimeout(timer);
        worker.off("error", fail).off("exit", ended);
        this.#endWhenIdle(worker);
        if (reply.facts === undefined) reject(reply.error);
        else resolve(withBuffer(reply.facts));
      });
      worker.postMessage(answer);
    });
  }

  #endWhenIdle(worker: Worker): void {
    this.#idle = setTimeout(() => {
      if (this.#worker !== worker || this.#isBusy) return;
      this.#worker = null;
      void worker.terminate();
    }, idleMs).unref();
    // The program may end meanwhile.
    worker.unref();
  }
}

/** A message makes a plain array of a buffer. */
function withBuffer(facts: AnswerFacts): AnswerFacts {
  const { text } = facts;
  return text === null ? facts : { ...facts, text: Buffer.from(text.buffer, 0, text.length) };
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
