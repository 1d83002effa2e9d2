import type { AnswerFacts, OpenStream, StreamReader } from "@proj/model-apis";
import type { AnswerBody, AnswerReading, BodySink } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import { type CallError, CallerGoneError, GatewayError } from "../errors/gateway-error.ts";
import { endsInBlankLine } from "./blank-line.ts";
import { keptFacts } from "./kept-facts.ts";
import type { ReadAnswerOptions } from "./read-answer.ts";
import { unreadableFacts } from "./unreadable-facts.ts";

/** A longer answer is not shown while it grows: it would be written out whole for each look at it. */
const maxShownBytes = 1024 * 1024;

const keepAliveComment = Buffer.from(": keep-alive\n\n");

/** Follows an event stream: detects its end, keeps it alive, and assembles its answer. */
export class StreamReading implements AnswerReading, AnswerBody, BodySink {
  readonly #source: AnswerBody;
  readonly #call: Call;
  readonly #options: ReadAnswerOptions;
  readonly #reader: StreamReader;
  #sink: BodySink | null = null;
  #stopListening: (() => void) | null = null;
  #keepAlive: NodeJS.Timeout | null = null;
  /** Runs once the answer is complete: limits the wait for what may still follow. */
  #lastWait: NodeJS.Timeout | null = null;
  /** The caller is not reading at the moment. */
  #stalled = false;
  /** The sink has got the end; the upstream's connection may still be open. */
  #concluded = false;
  #facts: AnswerFacts | null = null;
  response_bytes = 0;

  constructor(body: AnswerBody, call: Call, options: ReadAnswerOptions, openStream: OpenStream) {
    this.#source = body;
    this.#call = call;
    this.#options = options;
    this.#reader = openStream({
      assemble: options.keepsText,
      maxBytes: options.maxCaptureBytes,
    });
  }

  facts(): AnswerFacts {
    this.#facts ??= this.#readFacts();
    return this.#facts;
  }

  textSoFar(): Uint8Array | null {
    if (this.#concluded || this.response_bytes > maxShownBytes) return null;
    return keptFacts(this.#reader.facts(), this.#call, this.#options).text;
  }

  errorEvent(error: GatewayError): Uint8Array {
    // After half an event, a blank line comes first.
    const ending = this.#reader.betweenEvents ? "" : "\n\n";
    return Buffer.from(ending + this.#reader.errorEvent(error, this.#call.request_id));
  }

  pipe(sink: BodySink): void {
    this.#sink = sink;
    this.#keepAlive = setInterval(() => this.#comment(), this.#options.times.keepAliveMs);
    this.#stopListening = this.#call.cancellation.onCancel((reason) => this.#giveUp(reason));
    this.#source.pipe(this);
  }

  resume(): void {
    this.#stalled = false;
    this.#source.resume();
  }

  cancel(reason: CallError): void {
    this.#source.cancel(reason);
  }

  write(chunk: Uint8Array): boolean {
    if (this.#concluded) return true;
    this.response_bytes += chunk.byteLength;
    this.#keepAlive?.refresh();
    this.#pass(chunk);
    if (this.#reader.terminal) this.#awaitEnd();
    return this.#concluded || !this.#stalled;
  }

  end(tail: readonly Uint8Array[]): void {
    this.#stopWaiting();
    if (this.#concluded) return;
    for (const bytes of tail) {
      this.response_bytes += bytes.byteLength;
      this.#pass(bytes);
    }
    this.#reader.end();
    this.#conclude();
  }

  fail(error: CallError): void {
    this.#stopWaiting();
    // A connection that breaks after the terminal event loses nothing.
    if (this.#reader.terminal && error instanceof GatewayError) this.#conclude();
    else if (this.#finish()) this.#sink?.fail(error);
  }

  #readFacts(): AnswerFacts {
    try {
      return keptFacts(this.#reader.facts(), this.#call, this.#options);
    } catch (error) {
      return unreadableFacts(this.#reader.complete, error);
    }
  }

  #pass(chunk: Uint8Array): void {
    for (const bytes of this.#reader.push(chunk))
      if (this.#sink?.write(bytes) === false) this.#stalled = true;
  }

  #comment(): void {
    const { betweenEvents, terminal } = this.#reader;
    if (betweenEvents && !terminal && !this.#stalled) this.#sink?.write(keepAliveComment);
  }

  #giveUp(reason: CallError): void {
    if (!(reason instanceof CallerGoneError && this.#reader.complete)) {
      this.#source.cancel(reason);
      return;
    }
    this.#waitAtMost(this.#options.times.farewellMs, () => this.#source.cancel(reason));
    // No slow caller is left to wait for.
    this.resume();
  }

  /**
   * A step is complete at its terminal event, not when the upstream's connection ends: the connection gets
   * some time to end, so that it can be reused, but the caller does not wait for it.
   */
  #awaitEnd(): void {
    this.#waitAtMost(this.#options.times.lingerMs, () => {
      this.#conclude();
      this.#source.cancel(brokenOff());
    });
    if (endsInBlankLine(this.#reader.tail())) this.#conclude();
  }

  #waitAtMost(milliseconds: number, then: () => void): void {
    this.#lastWait ??= setTimeout(then, milliseconds);
  }

  #stopWaiting(): void {
    if (this.#lastWait !== null) clearTimeout(this.#lastWait);
  }

  #conclude(): void {
    if (!this.#finish()) return;
    if (this.#reader.complete || this.#reader.error !== null) this.#sink?.end(this.#reader.tail());
    else this.#sink?.fail(brokenOff());
  }

  /** Returns whether this call ended the reading. */
  #finish(): boolean {
    if (this.#concluded) return false;
    this.#concluded = true;
    if (this.#keepAlive !== null) clearInterval(this.#keepAlive);
    this.#stopListening?.();
    return true;
  }
}

function brokenOff(): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    "The upstream's stream broke off before its end.",
  );
}
