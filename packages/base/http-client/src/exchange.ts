import { bodyStream } from "./body-stream.ts";
import type { Connections, RawAnswer } from "./connections/connections.ts";
import { explainFailure } from "./explain-failure.ts";
import { ApiError, InvalidAnswerError, TimeoutError } from "./http-errors.ts";
import { onAbort } from "./on-abort.ts";
import { maskedUrl, withoutCredentials } from "./request-url.ts";

export interface HttpAnswer {
  /** 2xx or 304; redirects are not followed. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; text if `read` is `text`; null if there is no body. */
  readonly body: unknown;
}

export interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string | Uint8Array> | null;
  readonly read: "json" | "text";
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal;
}

/** Sends a request once. @throws HttpError, or the signal's reason */
export async function exchange(
  connections: Connections,
  url: URL,
  { method, headers: sent, body: given, read, timeoutMs, maxResponseBytes, signal }: Exchange,
): Promise<HttpAnswer> {
  const asked = { method, url: maskedUrl(url) };
  const ended = new AbortController();
  const stream = given === null || typeof given === "string" ? null : bodyStream(given);
  const giveUp = (): void => {
    stream?.end();
    ended.abort();
  };
  let isLate = false;
  const timeOut = (): void => {
    isLate = true;
    giveUp();
  };
  const unlink = onAbort(signal, giveUp);
  const timer = timeoutMs > 0 ? setTimeout(timeOut, timeoutMs) : undefined;
  try {
    const text = typeof given === "string" ? given : null;
    const { target, headers } = withoutCredentials(url, sent);
    const raw = await connections.send(target, {
      ...{ method, headers, body: stream?.stream ?? text },
      ...{ duplex: "half", redirect: "manual", signal: ended.signal },
    });
    const answer = await readText(raw, maxResponseBytes);
    if (answer === null)
      throw new InvalidAnswerError(asked, `answered more than ${maxResponseBytes} bytes`);
    return answerOf(raw, answer, read, asked);
  } catch (error) {
    if (stream?.failure) throw stream.failure.error;
    signal.throwIfAborted();
    if (isLate) throw new TimeoutError(asked, `did not answer within ${timeoutMs} ms`);
    throw explainFailure(error, asked);
  } finally {
    clearTimeout(timer);
    unlink();
    // The answer arrived before the body was sent completely, so its connection cannot be reused.
    if (stream?.isRead === false) giveUp();
  }
}

/** Null: the body is longer. */
async function readText({ body }: RawAnswer, maxBytes: number): Promise<string | null> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function answerOf(
  { status, headers: fields }: RawAnswer,
  text: string,
  read: Exchange["read"],
  asked: { readonly method: string; readonly url: string },
): HttpAnswer {
  const headers: Record<string, string> = {};
  fields.forEach((value, name) => {
    headers[name] = value;
  });
  // A browser hides a redirect's status and location.
  if (status === 0) throw new InvalidAnswerError(asked, "answered with a redirect");
  const isAnswer = (status >= 200 && status < 300) || status === 304;
  const body = isAnswer && read === "text" ? text || null : parseJson(text);
  if (!isAnswer)
    throw new ApiError(asked, { status, headers, body: body === undefined ? text : body });
  if (body !== undefined) return { status, headers, body };
  const type = headers["content-type"] ?? "no content-type";
  throw new InvalidAnswerError(asked, `answered ${status} with a body that is not JSON (${type})`);
}

/** Null: the text is empty. Undefined: the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return text.trim() === "" ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}
