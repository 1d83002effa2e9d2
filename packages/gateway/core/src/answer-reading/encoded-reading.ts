import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import type { AnswerFacts } from "@proj/model-apis";
import { readPlainAnswer } from "@proj/model-apis";
import { type Answer, type AnswerBody, isEventStream } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { CallError } from "../errors/gateway-error.ts";
import { CapturedReading } from "./captured-reading.ts";
import { keptFacts } from "./kept-facts.ts";
import type { ReadAnswerOptions } from "./read-answer.ts";
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
 * Follows an answer that came encoded although we asked for no encoding. It is relayed unchanged, but always one
 * chunk late: its last event cannot be recognised, so its last bytes are withheld instead. It is decoded for
 * the row once it has ended.
 */
export class EncodedReading extends CapturedReading {
  readonly #answer: Answer;
  #held: Uint8Array | null = null;
  #facts: Promise<AnswerFacts> | null = null;

  constructor(body: AnswerBody, answer: Answer, call: Call, options: ReadAnswerOptions) {
    super(body, call, options);
    this.#answer = answer;
  }

  facts(): Promise<AnswerFacts> {
    this.#facts ??= this.#decodeFacts();
    return this.#facts;
  }

  override write(chunk: Uint8Array): boolean {
    const released = this.#held;
    this.#held = chunk;
    return released === null || super.write(released);
  }

  override end(tail: readonly Uint8Array[]): void {
    super.end(this.#held === null ? tail : [this.#held, ...tail]);
  }

  override fail(error: CallError): void {
    if (this.#held !== null) this.capture(this.#held);
    super.fail(error);
  }

  async #decodeFacts(): Promise<AnswerFacts> {
    const { maxCaptureBytes } = this.options;
    const encoding = this.#answer.upstream?.content_encoding?.trim().toLowerCase() ?? "";
    try {
      const decode = decoders.get(encoding);
      if (decode === undefined) throw new Error(`unknown content encoding '${encoding}'`);
      const bytes = await decode(this.captured.bytes(), { maxOutputLength: maxCaptureBytes });
      return keptFacts(this.#readFacts(bytes), this.call, this.options);
    } catch (error) {
      return unreadableFacts(this.whole, error);
    }
  }

  #readFacts(bytes: Uint8Array): AnswerFacts {
    const { openStream, readFacts } = this.call.endpoint;
    const { keepsText, maxCaptureBytes } = this.options;
    if (openStream === null || !isEventStream(this.#answer))
      return readPlainAnswer(bytes, readFacts, this.captured.truncated, this.whole, keepsText);
    const reader = openStream({ assemble: keepsText, maxBytes: maxCaptureBytes });
    reader.push(bytes);
    reader.end();
    return reader.facts();
  }
}
