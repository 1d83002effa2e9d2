import { type AnswerFacts, endpointsByName, readPlainAnswer } from "@proj/model-apis";
import { beginsAsEvents, decodeContent } from "@proj/model-apis/decoding";

/** An encoded answer that has ended, as it is sent to a thread. */
export interface EncodedAnswer {
  readonly bytes: Uint8Array;
  /** Its `content-encoding`. */
  readonly encoding: string | null;
  readonly endpoint: keyof typeof endpointsByName;
  /** Whether its content type says that it is an event stream, and whether the request asked for one. */
  readonly isEventStream: boolean;
  readonly asksForStream: boolean;
  readonly keepsText: boolean;
  readonly maxCaptureBytes: number;
  readonly isTruncated: boolean;
  readonly isWhole: boolean;
}

/**
 * Decodes and reads an answer.
 * @param maxBytes of the decoded answer
 * @throws Error with the code ERR_BUFFER_TOO_LARGE: there are more; others: it is not in that encoding
 */
export async function readEncodedAnswer(
  answer: EncodedAnswer,
  maxBytes: number,
): Promise<AnswerFacts> {
  const bytes = await decodeContent(answer.bytes, answer.encoding, maxBytes);
  const { openStream, readFacts } = endpointsByName[answer.endpoint];
  const isStream = answer.isEventStream || (answer.asksForStream && beginsAsEvents(bytes));
  const { keepsText } = answer;
  if (openStream === null || !isStream)
    return readPlainAnswer(bytes, readFacts, answer.isTruncated, answer.isWhole, keepsText);
  const reader = openStream({ assemble: keepsText, maxBytes: answer.maxCaptureBytes });
  reader.push(bytes);
  reader.end();
  return reader.facts();
}
