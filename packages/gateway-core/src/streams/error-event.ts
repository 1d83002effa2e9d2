import type { ErrorBody } from "@proj/gateway-protocol";
import type { Endpoint } from "../pipeline/call.ts";
import type { StreamReader } from "./stream-reader.ts";

/**
 * The event that tells the caller of a stream that the answer will not be whole. A blank line goes
 * before it where an event was half sent.
 */
export function errorEvent(
  endpoint: Endpoint,
  error: ErrorBody["error"],
  reader: Pick<StreamReader, "betweenEvents" | "nextSequenceNumber">,
): Uint8Array {
  const { message, type, param, code } = error;
  const ending = reader.betweenEvents ? "" : "\n\n";
  if (endpoint === "chat_completions") {
    const data = JSON.stringify({ error: { message, type, param, code } });
    return Buffer.from(`${ending}data: ${data}\n\n`);
  }
  const sequence_number = reader.nextSequenceNumber;
  const data = JSON.stringify({ type: "error", code, message, param, sequence_number });
  return Buffer.from(`${ending}event: error\ndata: ${data}\n\n`);
}
