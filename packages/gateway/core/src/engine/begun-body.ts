import type { AnswerBody, BodySink } from "../call/answer.ts";
import type { Cancellation } from "../call/cancellation.ts";
import { type CallError, GatewayError } from "../errors/gateway-error.ts";

/** How much of an error is read, in bytes. */
const maxErrorBytes = 64 * 1024;
const error = /^data: ?\{ ?"error"/;
/** Enough to tell an error, unless a line has fewer. */
const tellingBytes = 16;
const line = /[\r\n]/;

/**
 * An engine's body, held until its first bytes tell whether it is an error: vLLM judges some members of a request when
 * it has answered 200 already, and then says what is wrong as the stream's first event.
 */
export class BegunBody implements AnswerBody, BodySink {
  readonly #source: AnswerBody;
  readonly #begun = Promise.withResolvers<string | null>();
  readonly #isError: boolean;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** What came behind the chunks while nobody took them. */
  #finish: ((sink: BodySink) => void) | null = null;
  #sink: BodySink | null = null;

  /** @param isError known from the status */
  constructor(source: AnswerBody, isError: boolean) {
    this.#source = source;
    this.#isError = isError;
  }

  /**
   * Resolves with the text of an error that is read to its end, or with null: then the body is to be piped on.
   * @throws CallError the body failed
   */
  async begin(cancellation: Cancellation): Promise<string | null> {
    const stopListening = cancellation.onCancel((reason) => this.#source.cancel(reason));
    this.#source.pipe(this);
    try {
      return await this.#begun.promise;
    } finally {
      stopListening();
    }
  }

  write(chunk: Uint8Array): boolean {
    if (this.#sink !== null) return this.#sink.write(chunk);
    if (this.#bytes < maxErrorBytes) this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    const isFull = this.#bytes >= maxErrorBytes;
    const head = this.#text(tellingBytes);
    if (this.#isError || error.test(head)) {
      const text = this.#text();
      if (isFull || (!this.#isError && line.test(text))) this.#leave(text);
      return true;
    }
    if (head.length < tellingBytes && !line.test(head)) return true;
    this.#begun.resolve(null);
    return false;
  }

  /** What follows an error is not read, and may never end. */
  #leave(text: string): void {
    this.#begun.resolve(text);
    this.#source.cancel(new GatewayError("upstream_invalid_response", text.slice(0, 1_000)));
  }

  end(tail: readonly Uint8Array[]): void {
    if (this.#sink !== null) {
      this.#sink.end(tail);
      return;
    }
    this.#finish = (sink) => sink.end(tail);
    const text = this.#text() + Buffer.concat(tail).toString();
    this.#begun.resolve(this.#isError || error.test(text) ? text : null);
  }

  fail(reason: CallError): void {
    if (this.#sink !== null) {
      this.#sink.fail(reason);
      return;
    }
    this.#finish = (sink) => sink.fail(reason);
    this.#begun.reject(reason);
  }

  pipe(sink: BodySink): void {
    this.#sink = sink;
    const wantsMore = this.#chunks.map((chunk) => sink.write(chunk)).at(-1) ?? true;
    this.#chunks = [];
    if (this.#finish !== null) this.#finish(sink);
    else if (wantsMore) this.#source.resume();
  }

  resume(): void {
    this.#source.resume();
  }

  cancel(reason: CallError): void {
    this.#source.cancel(reason);
  }

  #text(maxBytes = maxErrorBytes): string {
    return Buffer.concat(this.#chunks, Math.min(maxBytes, this.#bytes)).toString();
  }
}
