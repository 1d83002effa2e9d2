import type { IncomingMessage } from "node:http";
import { EventFraming, endpointsByName, noTokens } from "@proj/model-apis";
import { isJsonObject, type JsonObject, parseJson } from "@proj/model-apis/json";
import { createTimeOrderedId } from "@proj/session-store";
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
    yield* framesOf(object);
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

export interface PreparedAnswer {
  readonly id: string;
  /** The answer's object, as JSON text. */
  readonly response: string;
  /** The texts of its frames. */
  readonly events: readonly string[];
}

/** The answer to a request that asks no model. */
export function preparedAnswer(body: Buffer, model: string): PreparedAnswer {
  const request = parseJson(body.toString());
  const head = isJsonObject(request) ? { ...request, input: null } : {};
  const usage = { ...noTokens, prompt_tokens: 0, completion_tokens: 0 };
  const choices = [{ parts: [], finish: "stop" }] as const;
  const created = Math.floor(Date.now() / 1_000);
  const answer = { id: createTimeOrderedId(), model, created, choices, usage };
  const object = endpointsByName.responses.writeAnswer?.(answer, head) ?? {};
  return { id: String(object.id), response: JSON.stringify(object), events: framesOf(object) };
}

function framesOf(answer: JsonObject): string[] {
  const events = endpointsByName.responses.writeStream?.(answer) ?? [];
  return events.map((event) => event.slice(event.indexOf("data: ") + "data: ".length).trim());
}
