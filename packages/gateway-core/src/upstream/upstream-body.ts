import type { AnswerBody, BodySink } from "../call/answer.ts";
import type { CallError } from "../errors/gateway-error.ts";

/** What a body reads from. */
export interface BodySource {
  resume(): void;
  /** The body is wanted no longer. */
  abort(): void;
}

/** What may be held for a body that nobody reads yet, in bytes. */
const unreadLimit = 64 * 1024;

/**
 * The body of an upstream's answer. It holds only what comes before there is a sink, and what the
 * source could not keep back after a sink was full.
 */
export class UpstreamBody implements AnswerBody {
  readonly #source: BodySource;
  #sink: BodySink | null = null;
  /** The sink wants no more for now. */
  #full = false;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #sourcePaused = false;
  /** How it ends once what is waiting has gone on: null, whole; undefined, it has not ended. */
  #ending: CallError | null | undefined;
  /** The sink has been told the end. */
  #over = false;

  constructor(source: BodySource) {
    this.#source = source;
  }

  /** A chunk from the source, which is to pause where this returns false. */
  push(chunk: Uint8Array): boolean {
    if (this.#over) return true;
    if (this.#sink !== null && !this.#full) {
      this.#full = !this.#sink.write(chunk);
      this.#sourcePaused = this.#full;
    } else {
      this.#waiting.push(chunk);
      this.#waitingBytes += chunk.length;
      this.#sourcePaused = this.#full || this.#waitingBytes >= unreadLimit;
    }
    return !this.#sourcePaused;
  }

  /** The source has ended: whole, or with an error. What came before still goes on first. */
  finish(error: CallError | null): void {
    if (this.#ending !== undefined) return;
    this.#ending = error;
    this.#conclude();
  }

  pipe(sink: BodySink): void {
    this.#sink = sink;
    this.#flush();
  }

  resume(): void {
    this.#full = false;
    this.#flush();
  }

  cancel(reason: CallError): void {
    if (this.#over) return;
    this.#waiting = [];
    this.#ending = reason;
    this.#source.abort();
    this.#conclude();
  }

  #flush(): void {
    // Taken out one by one: within a write the sink may cancel, or resume.
    while (!this.#full && this.#sink !== null) {
      const chunk = this.#waiting.shift();
      if (chunk === undefined) break;
      this.#full = !this.#sink.write(chunk);
    }
    this.#conclude();
    if (this.#full || this.#over || !this.#sourcePaused) return;
    this.#sourcePaused = false;
    this.#source.resume();
  }

  /** An end is told even to a full sink: it takes no room. */
  #conclude(): void {
    if (this.#over || this.#sink === null || this.#ending === undefined) return;
    if (this.#waiting.length > 0) return;
    this.#over = true;
    if (this.#ending === null) this.#sink.end([]);
    else this.#sink.fail(this.#ending);
  }
}
