import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import type { CallError } from "../gateway-error.ts";
import {
  type Answer,
  type AnswerBody,
  type AnswerReading,
  type BodySink,
  isEventStream,
} from "../pipeline/answer.ts";
import type { Call } from "../pipeline/call.ts";
import { createStreamReader } from "../streams/stream-reader.ts";
import type { AnswerFacts } from "../telemetry/answer-facts.ts";
import { readPlainAnswer } from "../telemetry/plain-answer.ts";
import { CapturedBytes } from "./captured-bytes.ts";
import type { ReadAnswerOptions } from "./read-answer.ts";
import { redactFacts } from "./redact-facts.ts";
import { unreadableFacts } from "./unreadable-facts.ts";

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

/** The content codings of RFC 9110, section 8.4.1, and of RFC 8878. */
const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
  ["zstd", promisify(zstdDecompress)],
]);

/**
 * Follows an answer that came encoded although it was asked not to. It goes on untouched, withheld
 * at its last bytes, as its events cannot be told apart; for the row it is decoded at its end.
 */
export class EncodedReading implements AnswerReading, AnswerBody, BodySink {
  readonly #answer: Answer;
  readonly #source: AnswerBody;
  readonly #call: Call;
  readonly #options: ReadAnswerOptions;
  readonly #captured: CapturedBytes;
  #sink: BodySink | null = null;
  #stopListening: (() => void) | null = null;
  #held: Uint8Array | null = null;
  #whole = false;
  #facts: Promise<AnswerFacts> | null = null;

  constructor(answer: Answer, call: Call, options: ReadAnswerOptions) {
    this.#answer = answer;
    this.#source = answer.body;
    this.#call = call;
    this.#options = options;
    this.#captured = new CapturedBytes(options.maxCaptureBytes);
  }

  get response_bytes(): number {
    return this.#captured.received;
  }

  facts(): Promise<AnswerFacts> {
    this.#facts ??= this.#decodeFacts();
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
    const goesOn = this.#held;
    this.#held = chunk;
    return goesOn === null ? true : (this.#sink?.write(goesOn) ?? true);
  }

  end(tail: readonly Uint8Array[]): void {
    this.#stopListening?.();
    this.#whole = true;
    for (const bytes of tail) this.#captured.add(bytes);
    this.#sink?.end(this.#held === null ? tail : [this.#held, ...tail]);
  }

  fail(error: CallError): void {
    this.#stopListening?.();
    this.#sink?.fail(error);
  }

  async #decodeFacts(): Promise<AnswerFacts> {
    const { maxCaptureBytes, redacts } = this.#options;
    const encoding = this.#answer.upstream?.content_encoding?.trim().toLowerCase() ?? "";
    try {
      const decode = decoders.get(encoding);
      if (decode === undefined) throw new Error(`unknown content encoding '${encoding}'`);
      const bytes = await decode(this.#captured.bytes(), { maxOutputLength: maxCaptureBytes });
      return redactFacts(this.#readFacts(bytes), redacts);
    } catch (error) {
      return unreadableFacts(this.#whole, error);
    }
  }

  #readFacts(bytes: Uint8Array): AnswerFacts {
    const { endpoint } = this.#call;
    const { keepsText, maxCaptureBytes } = this.#options;
    if (!isEventStream(this.#answer)) {
      const facts = readPlainAnswer(bytes, endpoint, this.#captured.truncated);
      return { ...facts, complete: this.#whole };
    }
    const reader = createStreamReader(endpoint, {
      assemble: keepsText,
      maxBytes: maxCaptureBytes,
    });
    reader.push(bytes);
    reader.end();
    return reader.facts();
  }
}
