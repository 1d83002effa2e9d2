import { addDefault, headerValue, rawHeaders } from "./header-fields.ts";
import { jsonText } from "./json-body.ts";
import { Problem } from "./problem.ts";
import { problemType } from "./problem-document.ts";
import { Reply } from "./reply.ts";
import { isStream, type Stream } from "./stream.ts";

/** An answer, independent of the platform that sends it. */
export interface Answer {
  readonly status: number;
  /** Alternating names (in lower case) and values. */
  readonly headers: string[];
  /** Null: none. */
  readonly body: string | Uint8Array | Stream | null;
  /** Whether the head of a stream is sent before its first chunk. */
  readonly headFirst: boolean;
}

/** The platforms do not send a body with these. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);
const bytesType = "application/octet-stream";
export const jsonType = "application/json";

/** The headers of most answers: one shared list that is never changed. */
export const plainJson: string[] = ["content-type", jsonType];

/**
 * Turns the result of an operation into an answer.
 * @param place where `Location` begins
 * @throws the result if it is an error; TypeError or RangeError if it cannot be sent
 */
export function toAnswer(result: unknown, place: { readonly collectionPath: string }): Answer {
  if (isPlainValue(result)) return jsonAnswer(200, plainJson, result);
  if (result instanceof Reply) return sendable(replyAnswer(result, place));
  if (result instanceof Problem) return sendable(problemAnswer(result));
  if (isWebResponse(result)) return sendable(responseAnswer(result));
  if (result === undefined) return { status: 204, headers: [], body: null, headFirst: false };
  return bodyAnswer(200, plainJson, result);
}

/** The platforms differ: some would send what others refuse, or wait for ever. */
function sendable(answer: Answer): Answer {
  const { status, body } = answer;
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new RangeError(`The status ${status} cannot be sent: it must be from 200 to 599.`);
  if (body !== null && bodiless.has(status))
    throw new TypeError(`An answer with status ${status} cannot have a body.`);
  return answer;
}

function replyAnswer(reply: Reply, place: { readonly collectionPath: string }): Answer {
  const { status, body, locationSegment, headFirst } = reply;
  const headers = rawHeaders(reply.headers);
  if (locationSegment !== null)
    headers.push("location", `${place.collectionPath}/${locationSegment}`);
  if (body === undefined || (body === null && bodiless.has(status)))
    return { status, headers, body: null, headFirst };
  return bodyAnswer(status, headers, body, headFirst);
}

function problemAnswer({ status, document, headers: fields }: Problem): Answer {
  const headers = rawHeaders(fields);
  addDefault(headers, "content-type", problemType);
  return { status, headers, body: jsonText(document), headFirst: false };
}

function responseAnswer(response: WebResponse): Answer {
  if (response.bodyUsed) throw new TypeError("The body of the Response has already been read.");
  const headers = [...response.headers].flat();
  return { status: response.status, headers, body: response.body, headFirst: false };
}

function bodyAnswer(
  status: number,
  headers: string[],
  body: unknown,
  headFirst: boolean = false,
): Answer {
  if (typeof body === "object" && body !== null) {
    if (body instanceof Error) throw body;
    if (isStream(body)) return { status, headers: withType(headers, bytesType), body, headFirst };
    const bytes = toBytes(body);
    if (bytes !== null)
      return { status, headers: withType(headers, bytesType), body: bytes, headFirst };
    if (isBlob(body)) {
      const own = withType(headers, body.type || bytesType);
      addDefault(own, "content-length", String(body.size));
      return { status, headers: own, body: body.stream(), headFirst };
    }
  }
  if (typeof body === "string" && headers !== plainJson && isOtherThanJson(headers))
    return { status, headers, body, headFirst };
  if (headers !== plainJson) addDefault(headers, "content-type", jsonType);
  return jsonAnswer(status, headers, body, headFirst);
}

function jsonAnswer(
  status: number,
  headers: string[],
  value: unknown,
  headFirst: boolean = false,
): Answer {
  return { status, headers, body: jsonText(value), headFirst };
}

/** Whether this is an object literal or a list that can only be meant as JSON. Most results are: it saves the other tests. */
function isPlainValue(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return false;
  const prototype: unknown = Object.getPrototypeOf(result);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false;
  return !(Symbol.toStringTag in result) && !isStream(result);
}

function withType(headers: string[], type: string): string[] {
  if (headers === plainJson) return ["content-type", type];
  addDefault(headers, "content-type", type);
  return headers;
}

/** Whether a text has its own type: `text/html`, for example, is not sent as JSON. */
function isOtherThanJson(headers: readonly string[]): boolean {
  const type = headerValue(headers, "content-type");
  return type !== undefined && !/^[^;]*[/+]json\s*(;|$)/i.test(type);
}

function toBytes(body: object): Uint8Array | null {
  if (ArrayBuffer.isView(body))
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof ArrayBuffer || tagOf(body) === "SharedArrayBuffer")
    return new Uint8Array(body as ArrayBuffer);
  return null;
}

/** The result of `fetch`, from the platform or a library. */
interface WebResponse {
  readonly status: number;
  readonly headers: Iterable<[string, string]>;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly bodyUsed: boolean;
}

interface WebBlob {
  readonly type: string;
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

/** By name: `instanceof Response` would load all of Node's fetch, and miss other implementations. */
function isWebResponse(result: unknown): result is WebResponse {
  return typeof result === "object" && result !== null && tagOf(result) === "Response";
}

function isBlob(body: object): body is WebBlob {
  const tag = tagOf(body);
  return tag === "Blob" || tag === "File";
}

function tagOf(value: object): unknown {
  return Symbol.toStringTag in value ? value[Symbol.toStringTag] : undefined;
}
