import type { CallError } from "../gateway-error.ts";
import type { Answer, AnswerBody, AnswerReading, BodySink } from "../pipeline/answer.ts";
import type { Call } from "../pipeline/call.ts";
import type { AnswerFacts } from "../telemetry/answer-facts.ts";
import { readPlainAnswer } from "../telemetry/plain-answer.ts";
import { CapturedBytes } from "./captured-bytes.ts";
import type { ReadAnswerOptions } from "./read-answer.ts";
import { redactFacts } from "./redact-facts.ts";
import { unreadableFacts } from "./unreadable-facts.ts";

/**
 * Follows an answer that is one JSON document, or anything else that is no stream. A class, as are
 * its siblings: an object literal with a getter costs V8 a hidden class of its own each time.
 */
export class PlainReading implements AnswerReading, AnswerBody, BodySink {
  readonly #source: AnswerBody;
  readonly #call: Call;
  readonly #options: ReadAnswerOptions;
  readonly #captured: CapturedBytes;
  #sink: BodySink | null = null;
  #stopListening: (() => void) | null = null;
  #whole = false;
  #facts: AnswerFacts | null = null;

  constructor(answer: Answer, call: Call, options: ReadAnswerOptions) {
    this.#source = answer.body;
    this.#call = call;
    this.#options = options;
    this.#captured = new CapturedBytes(options.maxCaptureBytes);
  }

  get response_bytes(): number {
    return this.#captured.received;
  }

  facts(): AnswerFacts {
    this.#facts ??= this.#readFacts();
    return this.#facts;
  }

  errorEvent(): null {
    return null;
  }

  pipe(sink: BodySink): void {
    this.#sink = sink;
    this.#stopListening = this.#call.cancellation.onCancel((reason) => this.#source.cancel(reason));
    this.#source.pipe(this);
  }

  resume(): void {
    this.#source.resume();
  }

  cancel(reason: CallError): void {
    this.#source.cancel(reason);
  }

  write(chunk: Uint8Array): boolean {
    this.#captured.add(chunk);
    return this.#sink?.write(chunk) ?? true;
  }

  end(tail: readonly Uint8Array[]): void {
    this.#stopListening?.();
    this.#whole = true;
    for (const bytes of tail) this.#captured.add(bytes);
    this.#sink?.end(tail);
  }

  fail(error: CallError): void {
    this.#stopListening?.();
    this.#sink?.fail(error);
  }

  #readFacts(): AnswerFacts {
    const captured = this.#captured;
    try {
      const facts = readPlainAnswer(captured.bytes(), this.#call.endpoint, captured.truncated);
      return redactFacts({ ...facts, complete: this.#whole }, this.#options.redacts);
    } catch (error) {
      return unreadableFacts(this.#whole, error);
    }
  }
}
