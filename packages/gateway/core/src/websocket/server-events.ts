import type { IncomingMessage } from "node:http";
import { EventFraming, endpointsByName } from "@proj/model-apis";
import { isJsonObject, parseJson } from "@proj/model-apis/json";
import { asGatewayError } from "../errors/gateway-error.ts";

/** How much of an answer that is not a stream is read, in bytes. */
const maxPlainBytes = 64 * 1024 * 1024;

/** The texts of the events of an answer, each of which becomes a frame. @param maxBytes limit for one event */
export async function* eventsOf(answer: IncomingMessage, maxBytes: number): AsyncGenerator<string> {
  const type = answer.headers["content-type"] ?? "";
  if (!type.startsWith("text/event-stream")) {
    yield* plainEvents(answer);
    return;
  }
  const framing = new EventFraming(maxBytes);
  for await (const chunk of answer) {
    framing.feed(chunk);
    for (let kind = framing.next(); kind !== null; kind = framing.next())
      if (kind === "event") {
        const text = framing.dataText();
        if (text !== "[DONE]") yield text;
      }
  }
}

/** An error, or the whole answer of an upstream that does not stream. */
async function* plainEvents(answer: IncomingMessage): AsyncGenerator<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (bytes <= maxPlainBytes) chunks.push(chunk);
  }
  const object = parseJson(Buffer.concat(chunks).toString());
  const { statusCode: status = 500 } = answer;
  if (status === 200 && isJsonObject(object)) {
    const events = endpointsByName.responses.writeStream?.(object) ?? [];
    for (const event of events) yield event.slice(event.indexOf("data: ") + 6).trim();
    return;
  }
  const error = isJsonObject(object) ? object.error : null;
  yield errorText(status, isJsonObject(error) ? error : { message: String(error ?? "failed") });
}

/** An error as a frame. */
export const errorText = (status: number, error: object): string =>
  JSON.stringify({ type: "error", status, error });

/** What went wrong in the gateway itself, as a frame. */
export function errorOf(error: unknown): string {
  const { kind, body } = asGatewayError(error);
  return errorText(kind.status, body.error);
}
