import type { AnswerFacts } from "@proj/model-apis";
import { readPlainAnswer } from "@proj/model-apis";
import { CapturedReading } from "./captured-reading.ts";
import { keptFacts } from "./kept-facts.ts";
import { unreadableFacts } from "./unreadable-facts.ts";

/** Follows an answer that is not a stream, usually one JSON document. */
export class PlainReading extends CapturedReading {
  #facts: AnswerFacts | null = null;

  facts(): AnswerFacts {
    this.#facts ??= this.#readFacts();
    return this.#facts;
  }

  #readFacts(): AnswerFacts {
    const { captured, whole, call, options } = this;
    const { readFacts } = call.endpoint;
    try {
      const facts = readPlainAnswer(
        captured.bytes(),
        readFacts,
        captured.truncated,
        whole,
        options.keepsText,
      );
      return keptFacts(facts, call, options);
    } catch (error) {
      return unreadableFacts(whole, error);
    }
  }
}
