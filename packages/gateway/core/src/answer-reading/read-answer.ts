import type { GatewayConfig } from "@proj/gateway-protocol";
import type { Answer, AnswerBody, AnswerReading } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import type { AnswerDecoder } from "./answer-decoder.ts";
import { EncodedReading } from "./encoded-reading.ts";
import { PlainReading } from "./plain-reading.ts";
import { StreamReading } from "./stream-reading.ts";
import { type StreamTimes, streamTimes } from "./stream-times.ts";

export interface ReadAnswerOptions {
  /** Whether rows, the request log or spans have the answer's text. */
  readonly keepsText: boolean;
  readonly redacts: boolean;
  readonly capturesEmbeddings: boolean;
  /** How much of one answer is kept, in bytes. */
  readonly maxCaptureBytes: number;
  readonly decoder: AnswerDecoder;
  readonly times: StreamTimes;
}

/**
 * Reads the upstream's answer as it passes: whether it is complete, what it used, and its text if that is
 * kept. From here on, only the answer's reader ends it when the caller leaves.
 */
export function readAnswer<C extends Call>(
  config: GatewayConfig,
  keepsText: boolean,
  decoder: AnswerDecoder,
  times: StreamTimes = streamTimes,
): Stage<C> {
  const options: ReadAnswerOptions = {
    keepsText,
    redacts: config.telemetry.redact_sensitive_fields,
    capturesEmbeddings: config.telemetry.capture_embeddings,
    maxCaptureBytes: config.max_capture_bytes,
    decoder,
    times,
  };
  return (next) => async (call) => {
    const answer = await next(call);
    return answer.readBy((body) => openReading(body, answer, call, options));
  };
}

function openReading(
  body: AnswerBody,
  answer: Answer,
  call: Call,
  options: ReadAnswerOptions,
): AnswerReading & AnswerBody {
  const { openStream } = call.endpoint;
  if (answer.format === "encoded") return new EncodedReading(body, answer, call, options);
  if (answer.format === "plain" || openStream === null)
    return new PlainReading(body, call, options);
  return new StreamReading(body, call, options, openStream);
}
