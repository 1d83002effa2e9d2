import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import { type Answer, type AnswerReading, isEventStream } from "../pipeline/answer.ts";
import type { Call } from "../pipeline/call.ts";
import { createStreamReader } from "../streams/stream-reader.ts";
import type { AnswerFacts } from "../telemetry/answer-facts.ts";
import { readPlainAnswer } from "../telemetry/plain-answer.ts";
import { CapturedBytes } from "./captured-bytes.ts";
import type { ReadAnswerOptions } from "./read-answer.ts";
import { redactFacts } from "./redact-facts.ts";

/** The content codings of RFC 9110, section 8.4.1, and of RFC 8878. */
const decoders: Record<
  string,
  (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>
> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/**
 * Follows an answer that came encoded although it was asked not to. It goes on untouched, withheld
 * at its last bytes, as its events cannot be told apart; for the row it is decoded at its end.
 */
export function readEncoded(answer: Answer, call: Call, options: ReadAnswerOptions): void {
  const source = answer.body;
  const captured = new CapturedBytes(options.maxCaptureBytes);
  let whole = false;
  let facts: Promise<AnswerFacts> | null = null;
  const reading: AnswerReading = {
    get response_bytes() {
      return captured.received;
    },
    facts: () => {
      facts ??= decodedFacts(answer, call, options, captured, whole);
      return facts;
    },
    errorEvent: () => null,
  };
  answer.body = {
    pipe: (sink) => {
      let held: Uint8Array | null = null;
      const stopListening = call.cancellation.onCancel((reason) => source.cancel(reason));
      source.pipe({
        write: (chunk) => {
          captured.add(chunk);
          const goesOn = held;
          held = chunk;
          return goesOn === null || sink.write(goesOn);
        },
        end: (tail) => {
          stopListening();
          whole = true;
          for (const bytes of tail) captured.add(bytes);
          sink.end(held === null ? tail : [held, ...tail]);
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

async function decodedFacts(
  answer: Answer,
  call: Call,
  options: ReadAnswerOptions,
  captured: CapturedBytes,
  whole: boolean,
): Promise<AnswerFacts> {
  const encoding = answer.upstream?.content_encoding?.trim().toLowerCase() ?? "";
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  try {
    if (decode === undefined) throw new Error(`unknown content encoding '${encoding}'`);
    const bytes = await decode(captured.bytes(), { maxOutputLength: options.maxCaptureBytes });
    return redactFacts(
      read(answer, call, options, bytes, captured.truncated, whole),
      options.redacts,
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      complete: whole,
      error: whole ? null : `the encoded answer cannot be read: ${message}`,
      finish_reason: null,
      prompt_tokens: null,
      completion_tokens: null,
      truncated: true,
      text: null,
      sensitive: false,
    };
  }
}

function read(
  answer: Answer,
  call: Call,
  options: ReadAnswerOptions,
  bytes: Uint8Array,
  truncated: boolean,
  whole: boolean,
): AnswerFacts {
  if (!isEventStream(answer))
    return { ...readPlainAnswer(bytes, call.endpoint, truncated), complete: whole };
  const reader = createStreamReader(call.endpoint, {
    assemble: options.keepsText,
    maxBytes: options.maxCaptureBytes,
  });
  reader.push(bytes);
  reader.end();
  return reader.facts();
}
