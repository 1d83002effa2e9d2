import type { GatewayConfig } from "@proj/gateway-protocol";
import type { Call } from "../pipeline/call.ts";
import type { Stage } from "../pipeline/stage.ts";
import { EncodedReading } from "./encoded-reading.ts";
import { PlainReading } from "./plain-reading.ts";
import { StreamReading } from "./stream-reading.ts";
import { type StreamTimes, streamTimes } from "./stream-times.ts";

export interface ReadAnswerOptions {
  /** Whether anybody keeps the answer's text: rows, or the request log. */
  readonly keepsText: boolean;
  readonly redacts: boolean;
  /** What is kept of one answer, in bytes. */
  readonly maxCaptureBytes: number;
  readonly times: StreamTimes;
}

/**
 * Reads the upstream's answer while it passes: whether it is complete, what it used, and its text
 * where that is kept. From here on only the answer's reader ends it when the caller leaves.
 */
export function readAnswer<C extends Call>(
  config: GatewayConfig,
  keepsText: boolean,
  times: StreamTimes = streamTimes,
): Stage<C> {
  const options: ReadAnswerOptions = {
    keepsText,
    redacts: config.telemetry.redact_sensitive_fields,
    maxCaptureBytes: config.max_capture_bytes,
    times,
  };
  const readings = { event_stream: StreamReading, plain: PlainReading, encoded: EncodedReading };
  return (next) => async (call) => {
    const answer = await next(call);
    const reading = new readings[answer.format](answer, call, options);
    answer.reading = reading;
    answer.body = reading;
    return answer;
  };
}
