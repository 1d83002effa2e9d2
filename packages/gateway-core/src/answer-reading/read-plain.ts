import type { Answer, AnswerReading } from "../pipeline/answer.ts";
import type { Call } from "../pipeline/call.ts";
import type { AnswerFacts } from "../telemetry/answer-facts.ts";
import { readPlainAnswer } from "../telemetry/plain-answer.ts";
import { CapturedBytes } from "./captured-bytes.ts";
import type { ReadAnswerOptions } from "./read-answer.ts";
import { redactFacts } from "./redact-facts.ts";

/** Follows an answer that is one JSON document, or anything else that is no stream. */
export function readPlain(answer: Answer, call: Call, options: ReadAnswerOptions): void {
  const source = answer.body;
  const captured = new CapturedBytes(options.maxCaptureBytes);
  let whole = false;
  let facts: AnswerFacts | null = null;
  const reading: AnswerReading = {
    get response_bytes() {
      return captured.received;
    },
    facts: () => {
      if (facts !== null) return facts;
      const read = readPlainAnswer(captured.bytes(), call.endpoint, captured.truncated);
      facts = redactFacts({ ...read, complete: whole }, options.redacts);
      return facts;
    },
    errorEvent: () => null,
  };
  answer.body = {
    pipe: (sink) => {
      const stopListening = call.cancellation.onCancel((reason) => source.cancel(reason));
      source.pipe({
        write: (chunk) => {
          captured.add(chunk);
          return sink.write(chunk);
        },
        end: (tail) => {
          stopListening();
          whole = true;
          for (const bytes of tail) captured.add(bytes);
          sink.end(tail);
        },
        fail: (error) => {
          stopListening();
          sink.fail(error);
        },
      });
    },
    resume: () => source.resume(),
    cancel: (reason) => source.cancel(reason),
  };
  answer.reading = reading;
}
