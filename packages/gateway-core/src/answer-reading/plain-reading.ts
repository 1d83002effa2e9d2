import type { AnswerFacts } from "../telemetry/answer-facts.ts";
import { readPlainAnswer } from "../telemetry/plain-answer.ts";
import { CapturedReading } from "./captured-reading.ts";
import { redactFacts } from "./redact-facts.ts";
import { unreadableFacts } from "./unreadable-facts.ts";

/** Follows an answer that is one JSON document, or anything else that is no stream. */
export class PlainReading extends CapturedReading {
  #facts: AnswerFacts | null = null;

  facts(): AnswerFacts {
    this.#facts ??= this.#readFacts();
    return this.#facts;
  }

  #readFacts(): AnswerFacts {
    const { captured, whole } = this;
    try {
      const facts = readPlainAnswer(captured.bytes(), this.call.endpoint, captured.truncated);
      return redactFacts({ ...facts, complete: whole }, this.options.redacts);
    } catch (error) {
      return unreadableFacts(whole, error);
    }
  }
}
