import { CallerGoneError, GatewayError } from "../gateway-error.ts";
import type { Answer, AnswerBody, AnswerReading } from "../pipeline/answer.ts";
import type { Call } from "../pipeline/call.ts";
import { errorEvent } from "../streams/error-event.ts";
import { createStreamReader } from "../streams/stream-reader.ts";
import type { AnswerFacts } from "../telemetry/answer-facts.ts";
import type { ReadAnswerOptions } from "./read-answer.ts";
import { redactFacts } from "./redact-facts.ts";

/** Many networks cut a stream that is silent for 30 to 60 s. */
const keepAliveMs = 15_000;
/** How long an upstream may stay open behind the terminal event. */
const lingerMs = 2_000;
/** How long usage may follow after the caller has left with a complete answer. */
const farewellMs = 1_000;
const keepAliveComment = Buffer.from(": keep-alive\n\n");

/** Follows an event stream: knows its end, keeps it alive, and assembles what it says. */
export function readStream(answer: Answer, call: Call, options: ReadAnswerOptions): void {
  const source = answer.body;
  const reader = createStreamReader(call.endpoint, {
    assemble: options.keepsText,
    maxBytes: options.maxCaptureBytes,
  });
  let response_bytes = 0;
  let facts: AnswerFacts | null = null;
  const reading: AnswerReading = {
    get response_bytes() {
      return response_bytes;
    },
    facts: () => {
      facts ??= redactFacts(reader.facts(), options.redacts);
      return facts;
    },
    errorEvent: (error: GatewayError) => errorEvent(call.endpoint, error.body.error, reader),
  };
  const body: AnswerBody = {
    pipe: (sink) => {
      let ended = false;
      let timer: NodeJS.Timeout | null = null;
      let stalled = false;
      const keepAlive = setInterval(() => {
        if (reader.betweenEvents && !reader.terminal && !stalled) sink.write(keepAliveComment);
      }, keepAliveMs);
      const finish = (act: () => void): void => {
        if (ended) return;
        ended = true;
        clearInterval(keepAlive);
        if (timer !== null) clearTimeout(timer);
        stopListening();
        act();
      };
      const end = (): void =>
        finish(() => {
          if (reader.complete || reader.error !== null) sink.end(reader.tail());
          else sink.fail(brokenOff());
        });
      const stopListening = call.cancellation.onCancel((reason) => {
        if (!(reason instanceof CallerGoneError) || !reader.complete) source.cancel(reason);
        else timer ??= setTimeout(() => source.cancel(reason), farewellMs);
      });
      source.pipe({
        write: (chunk) => {
          if (ended) return true;
          response_bytes += chunk.byteLength;
          keepAlive.refresh();
          stalled = false;
          for (const bytes of reader.push(chunk)) if (!sink.write(bytes)) stalled = true;
          // A step is complete at its terminal event, not at the end of the upstream's connection.
          if (reader.terminal && !ended)
            timer ??= setTimeout(() => {
              reader.end();
              end();
              source.cancel(brokenOff());
            }, lingerMs);
          return !stalled;
        },
        end: (tail) => {
          for (const bytes of tail) {
            response_bytes += bytes.byteLength;
            for (const passed of reader.push(bytes)) sink.write(passed);
          }
          reader.end();
          end();
        },
        fail: (error) => {
          // A connection that dies behind the terminal event takes nothing away.
          if (reader.terminal && error instanceof GatewayError) end();
          else finish(() => sink.fail(error));
        },
      });
    },
    resume: () => source.resume(),
    cancel: (reason) => source.cancel(reason),
  };
  answer.body = body;
  answer.reading = reading;
}

function brokenOff(): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    "The upstream's stream broke off before its end.",
  );
}
