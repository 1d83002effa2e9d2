import type { AnswerFacts } from "@proj/model-apis";
import { type Answer, type AnswerBody, isEventStream } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { CallError } from "../errors/gateway-error.ts";
import { CapturedReading } from "./captured-reading.ts";
import { keptFacts } from "./kept-facts.ts";
import type { ReadAnswerOptions } from "./read-answer.ts";
import { unreadableFacts } from "./unreadable-facts.ts";

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
    const { decoder, keepsText, maxCaptureBytes } = this.options;
    const { settled, upstream } = this.#answer;
    try {
      const { facts, release } = await decoder.read({
        bytes: this.captured.bytes(),
        encoding: upstream?.content_encoding ?? null,
        endpoint: this.call.endpoint.name,
        isEventStream: isEventStream(this.#answer),
        asksForStream: this.call.body.stream,
        isTruncated: this.captured.truncated,
        isWhole: this.whole,
        ...{ keepsText, maxCaptureBytes },
      });
      settled.when(release);
      this.call.lease.grow(facts.text?.length ?? 0);
      return keptFacts(facts, this.call, this.options);
    } catch (error) {
      return unreadableFacts(this.whole, error);
    }
  }
}
