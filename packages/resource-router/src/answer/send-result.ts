import type { Exchange } from "../exchange/exchange.ts";
import { hasHeader, rawHeaders } from "./header-fields.ts";
import { Problem } from "./problem.ts";
import { problemType } from "./problem-document.ts";
import { Reply } from "./reply.ts";
import { isStream, sendStream } from "./send-stream.ts";
import { sendWhole, write } from "./send-whole.ts";

/** Rejects when a stream fails; undefined: nothing is left to wait for. */
export type Sending = Promise<void> | undefined;

/**
 * Answers with what an operation gave.
 * @throws TypeError for a value that is no JSON
 */
export function sendResult(exchange: Exchange, result: unknown): Sending {
  if (result instanceof Reply) return sendReply(exchange, result);
  if (result instanceof Problem) return sendProblem(exchange, result);
  if (isWebResponse(result)) return sendWebResponse(exchange, result);
  if (result === undefined) return sendBody(exchange, 204, [], undefined);
  if (isStream(result) || result instanceof Uint8Array) return sendBody(exchange, 200, [], result);
  sendJson(exchange, result);
  return undefined;
}

/**
 * Sends what most operations give. Its headers are one literal: to let a list grow takes as long as
 * to find the operation.
 */
function sendJson(exchange: Exchange, value: unknown): void {
  const text = jsonText(value);
  const length = String(Buffer.byteLength(text));
  write(exchange, 200, ["content-type", jsonType, "content-length", length], text);
}

function sendReply(exchange: Exchange, reply: Reply): Sending {
  const { status, body, headers, locationSegment } = reply;
  const raw = rawHeaders(headers);
  if (locationSegment !== null)
    raw.push("location", `${exchange.collectionPath}/${locationSegment}`);
  return sendBody(exchange, status, raw, body);
}

function sendProblem(exchange: Exchange, { status, document, headers }: Problem): Sending {
  return sendBody(
    exchange,
    status,
    [...rawHeaders(headers), "content-type", problemType],
    document,
  );
}

/** What `fetch` answers with, be it of Node or of a library. */
interface WebResponse {
  readonly status: number;
  readonly headers: Iterable<[string, string]>;
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly bodyUsed: boolean;
}

/** By its name, as `instanceof Response` would load all of Node's fetch, and knows no other. */
function isWebResponse(result: unknown): result is WebResponse {
  return (
    typeof result === "object" &&
    result !== null &&
    Symbol.toStringTag in result &&
    result[Symbol.toStringTag] === "Response"
  );
}

function sendWebResponse(exchange: Exchange, response: WebResponse): Sending {
  if (response.bodyUsed) throw new TypeError("The body of the Response was read already.");
  const raw = [...response.headers].flat();
  if (response.body !== null) return sendStream(exchange, response.status, raw, response.body);
  return sendBody(exchange, response.status, raw, undefined);
}

function sendBody(exchange: Exchange, status: number, raw: string[], body: unknown): Sending {
  if (isStream(body)) {
    addType(raw, bytesType);
    return sendStream(exchange, status, raw, body);
  }
  if (body !== undefined) addType(raw, body instanceof Uint8Array ? bytesType : jsonType);
  sendWhole(exchange, status, raw, wholeBody(body));
  return undefined;
}

const bytesType = "application/octet-stream";
const jsonType = "application/json";

/** Unless the answer says itself what it is. */
function addType(raw: string[], type: string): void {
  if (!hasHeader(raw, "content-type")) raw.push("content-type", type);
}

function wholeBody(body: unknown): string | Uint8Array | null {
  if (body === undefined) return null;
  return body instanceof Uint8Array ? body : jsonText(body);
}

function jsonText(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`A ${typeof value} cannot be sent as JSON.`);
  return text;
}
