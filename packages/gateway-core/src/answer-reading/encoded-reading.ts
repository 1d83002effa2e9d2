import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import type { CallError } from "../gateway-error.ts";
import { type Answer, isEventStream } from "../pipeline/answer.ts";
import type { Call } from "../pipeline/call.ts";
import { createStreamReader } from "../streams/stream-reader.ts";
import type { AnswerFacts } from "../telemetry/answer-facts.ts";
import { readPlainAnswer } from "../telemetry/plain-answer.ts";
import { CapturedReading } from "./captured-reading.ts";
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
export class EncodedReading extends CapturedReading {
  readonly #answer: Answer;
  #held: Uint8Array | null = null;
  #facts: Promise<AnswerFacts> | null = null;

  constructor(answer: Answer, call: Call, options: ReadAnswerOptions) {
    super(answer, call, options);
    this.#answer = answer;
  }

  facts(): Promise<AnswerFacts> {
    this.#facts ??= this.#decodeFacts();
    return this.#facts;
  }

  override write(chunk: Uint8Array): boolean {
    const goesOn = this.#held;
    this.#held = chunk;
    if (goesOn !== null) return super.write(goesOn);
    return true;
  }

  override end(tail: readonly Uint8Array[]): void {
    super.end(this.#held === null ? tail : [this.#held, ...tail]);
  }

  override fail(error: CallError): void {
    if (this.#held !== null) this.capture(this.#held);
    super.fail(error);
  }

  async #decodeFacts(): Promise<AnswerFacts> {
    const { maxCaptureBytes, redacts } = this.options;
    const encoding = this.#answer.upstream?.content_encoding?.trim().toLowerCase() ?? "";
    try {
      const decode = decoders.get(encoding);
      if (decode === undefined) throw new Error(`unknown content encoding '${encoding}'`);
      const bytes = await decode(this.captured.bytes(), { maxOutputLength: maxCaptureBytes });
      return redactFacts(this.#readFacts(bytes), redacts);
    } catch (error) {
      return unreadableFacts(this.whole, error);
    }
  }

  #readFacts(bytes: Uint8Array): AnswerFacts {
    const { endpoint } = this.call;
    const { keepsText, maxCaptureBytes } = this.options;
    if (!isEventStream(this.#answer)) {
      const facts = readPlainAnswer(bytes, endpoint, this.captured.truncated);
      return { ...facts, complete: this.whole };
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
