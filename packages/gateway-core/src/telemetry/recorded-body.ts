import { type CallError, GatewayError } from "../gateway-error.ts";
import type { BufferedBytesLease } from "../http/buffered-bytes.ts";
import type { Answer, AnswerBody, BodySink } from "../pipeline/answer.ts";
import type { StepRecording } from "./step-recording.ts";

/** Passes a body on and withholds its end until the step is recorded. */
export function createRecordedBody(answer: Answer, recording: StepRecording): AnswerBody {
  const source = answer.body;
  return {
    pipe: (sink) =>
      source.pipe({
        write: (chunk) => sink.write(chunk),
        end: (tail) => void finish(answer, recording, sink, tail),
        fail: (error) => void abandon(answer, recording, sink, error),
      }),
    resume: () => source.resume(),
    cancel: (reason) => source.cancel(reason),
  };
}

/**
 * Withholds a plain body whole, so that status and headers wait for the row as well.
 * A body over `maxBytes` is refused: it cannot be recorded as it was.
 */
export function createWithheldBody(
  answer: Answer,
  recording: StepRecording,
  lease: BufferedBytesLease,
  maxBytes: number,
): AnswerBody {
  const source = answer.body;
  return {
    pipe: (sink) => {
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      source.pipe({
        write: (chunk) => {
          bytes += chunk.byteLength;
          lease.grow(chunk.byteLength);
          chunks.push(chunk);
          if (bytes > maxBytes) source.cancel(tooLarge(maxBytes));
          return true;
        },
        end: (tail) => void finish(answer, recording, sink, chunks.concat(tail)),
        fail: (error) => void abandon(answer, recording, sink, error),
      });
    },
    resume: () => source.resume(),
    cancel: (reason) => source.cancel(reason),
  };
}

async function finish(
  answer: Answer,
  recording: StepRecording,
  sink: BodySink,
  tail: readonly Uint8Array[],
): Promise<void> {
  const error = await recording.finish(answer, null);
  if (error === null) sink.end(tail);
  else sink.fail(error);
}

async function abandon(
  answer: Answer,
  recording: StepRecording,
  sink: BodySink,
  error: CallError,
): Promise<void> {
  sink.fail((await recording.finish(answer, error)) ?? error);
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    `The upstream's answer is larger than max_capture_bytes (${maxBytes}) and cannot be recorded.`,
    { retryable: false },
  );
}
