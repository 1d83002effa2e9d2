import type { AnswerFacts } from "@proj/model-apis";
import type { AnswerBody, AnswerReading, BodySink } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { CallError } from "../errors/gateway-error.ts";
import type { ReadAnswerOptions } from "./read-answer.ts";

/**
 * Follows an answer that can be read only once it is whole, and keeps its bytes until then. All readings are
 * classes, because V8 gives every object literal with a getter a hidden class of its own.
 */
export abstract class CapturedReading implements AnswerReading, AnswerBody, BodySink {
  protected readonly call: Call;
  protected readonly options: ReadAnswerOptions;
  protected readonly captured: CapturedBytes;
  /** The body has been received whole. */
  protected whole = false;
  protected sink: BodySink | null = null;
  readonly #source: AnswerBody;

  constructor(body: AnswerBody, call: Call, options: ReadAnswerOptions) {
    this.call = call;
    this.options = options;
    this.captured = new CapturedBytes(options.maxCaptureBytes);
    this.#source = body;
  }

  abstract facts(): AnswerFacts | Promise<AnswerFacts>;

  get response_bytes(): number {
    return this.captured.received;
  }

  textSoFar(): null {
    return null;
  }

  errorEvent(): null {
    return null;
  }

  pipe(sink: BodySink): void {
    this.sink = sink;
    this.call.cancellation.add(this);
    this.#source.pipe(this);
  }

  resume(): void {
    this.#source.resume();
  }

  cancel(reason: CallError): void {
    this.#source.cancel(reason);
  }

  write(chunk: Uint8Array): boolean {
    this.capture(chunk);
    return this.sink?.write(chunk) ?? true;
  }

  end(tail: readonly Uint8Array[]): void {
    this.call.cancellation.remove(this);
    this.whole = true;
    for (const bytes of tail) this.capture(bytes);
    this.sink?.end(tail);
  }

  fail(error: CallError): void {
    this.call.cancellation.remove(this);
    this.sink?.fail(error);
  }

  /** Kept bytes count towards the memory for bodies. */
  protected capture(chunk: Uint8Array): void {
    this.call.lease.grow(this.captured.add(chunk));
  }
}

/** The first bytes of a body, up to a bound. Keeps the chunks as they came until they are needed. */
export class CapturedBytes {
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  /** Bytes received, kept or not. */
  received = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get truncated(): boolean {
    return this.received > this.#kept;
  }

  /** Returns how many of the bytes are kept. */
  add(chunk: Uint8Array): number {
    this.received += chunk.byteLength;
    const room = this.#maxBytes - this.#kept;
    if (room <= 0) return 0;
    const part = chunk.byteLength <= room ? chunk : chunk.subarray(0, room);
    this.#kept += part.byteLength;
    this.#chunks.push(part);
    return part.byteLength;
  }

  bytes(): Uint8Array {
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
  }
}
