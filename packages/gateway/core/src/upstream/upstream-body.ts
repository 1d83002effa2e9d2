import type { AnswerBody, BodySink } from "../call/answer.ts";
import type { CallError } from "../errors/gateway-error.ts";

/** The source of a body. */
export interface BodySource {
  resume(): void;
  /** The body is no longer wanted. */
  abort(): void;
}

/** How much may be held for a body that nobody reads yet, in bytes. */
const unreadLimit = 64 * 1024;

/**
 * The body of an upstream's answer. It holds only bytes that came before it had a sink, and bytes that the
 * source could not keep back after the sink was full.
 */
export class UpstreamBody implements AnswerBody {
  readonly #source: BodySource;
  #sink: BodySink | null = null;
  /** The sink cannot take more at the moment. */
  #full = false;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #sourcePaused = false;
  /** How the body ends once the waiting bytes are passed on; null: whole, undefined: not ended yet. */
  #ending: CallError | null | undefined;
  /** The sink has got the end. */
  #over = false;
  /** Called with the bytes that wait, once there are as many as asked for. */
  #awaited: { readonly bytes: number; readonly resolve: (beginning: Uint8Array) => void } | null =
    null;

  constructor(source: BodySource) {
    this.#source = source;
  }

  /**
   * The body's first bytes, which `pipe` passes on all the same. Call it before `pipe`.
   * @param bytes how many to wait for; there are fewer if the body has ended, in whatever way
   */
  beginning(bytes: number): Promise<Uint8Array> {
    return new Promise((resolve) => {
      this.#awaited = { bytes, resolve };
      this.#tellBeginning();
    });
  }

  #tellBeginning(): void {
    const awaited = this.#awaited;
    if (awaited === null) return;
    if (this.#waitingBytes < awaited.bytes && this.#ending === undefined) return;
    this.#awaited = null;
    awaited.resolve(Buffer.concat(this.#waiting));
  }

  /** Takes a chunk from the source, which must pause if this returns false. */
  push(chunk: Uint8Array): boolean {
    if (this.#over) return true;
    if (this.#sink !== null && !this.#full) {
      this.#full = !this.#sink.write(chunk);
      this.#sourcePaused = this.#full;
    } else {
      this.#waiting.push(chunk);
      this.#waitingBytes += chunk.length;
      this.#sourcePaused = this.#full || this.#waitingBytes >= unreadLimit;
      this.#tellBeginning();
    }
    return !this.#sourcePaused;
  }

  /** The source has ended, whole or with an error. Bytes that came before are passed on first. */
  finish(error: CallError | null): void {
    if (this.#ending !== undefined) return;
    this.#ending = error;
    this.#tellBeginning();
    this.#conclude();
  }

  pipe(sink: BodySink): void {
    this.#sink = sink;
    if (this.#ending !== null || this.#waiting.length > 1) {
      this.#flush();
      return;
    }
    // A small answer is whole by now. Passed on together with its end, it leaves in one write.
    this.#over = true;
    sink.end(this.#waiting);
  }

  resume(): void {
    this.#full = false;
    this.#flush();
  }

  cancel(reason: CallError): void {
    if (this.#over) return;
    this.#waiting = [];
    this.#ending = reason;
    this.#tellBeginning();
    this.#source.abort();
    this.#conclude();
  }

  #flush(): void {
    // Removed one by one: the sink may cancel or resume within a write.
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

  /** Even a full sink gets the end, which takes no room. */
  #conclude(): void {
    if (this.#over || this.#sink === null || this.#ending === undefined) return;
    if (this.#waiting.length > 0) return;
    this.#over = true;
    if (this.#ending === null) this.#sink.end([]);
    else this.#sink.fail(this.#ending);
  }
}
