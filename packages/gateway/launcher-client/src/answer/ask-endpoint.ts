import type { SecretMask } from "@proj/gateway-protocol";
import { maskUrl } from "@proj/gateway-protocol";
import {
  ApiError,
  ConnectionError,
  createHttpClient,
  HttpError,
  type RequestOptions,
} from "@proj/http-client";
import { type Answer, parseAnswer } from "./answer.ts";
import { AnswerFailure } from "./answer-failure.ts";
import { shorten } from "./shorten.ts";
import { maxSizedBytes } from "./sized-body.ts";

/** How to call an endpoint. */
export interface EndpointOptions {
  /** The `authorization` header, such as `Bearer …`. */
  readonly authorization?: string;
}

export interface Endpoint {
  readonly description: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Secrets that we send; masked in whatever it answers. */
  readonly secrets: readonly string[];
}

export interface EndpointQuestion {
  readonly body: Pick<RequestOptions, "json" | "text" | "stream">;
  /** The `traceparent` header. */
  readonly traceparent: string | undefined;
  readonly mask: SecretMask;
  readonly signal: AbortSignal;
}

const maxAnswer = 1024 * 1024;
const shownOfAnswer = 4096;

/** @throws TypeError the URL is not http or https */
export function readEndpoint(url: string, { authorization }: EndpointOptions): Endpoint {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(`${maskUrl(url)} is not an http or https URL`);
  }
  return {
    description: `endpoint ${maskUrl(url)}`,
    url: parsed,
    headers: {
      "content-type": "application/json",
      ...(authorization === undefined ? {} : { authorization }),
    },
    secrets:
      authorization === undefined ? [] : [authorization, authorization.replace(/^\S+\s+/, "")],
  };
}

/**
 * Posts to an endpoint and waits without a time limit, until the signal aborts. A request that could not be sent
 * because no connection was made is retried for a few seconds; a request that was sent is never repeated.
 * @throws AnswerFailure
 * @throws the signal's reason
 */
export async function askEndpoint(
  { url, headers }: Endpoint,
  { body, traceparent, mask, signal }: EndpointQuestion,
): Promise<Answer> {
  // A new connection each time: the server may close an idle one just as it is reused.
  const client = createHttpClient({ baseUrl: new URL("/", url).href, headers });
  try {
    const answer = await client.request("POST", url.pathname + url.search, {
      ...body,
      headers: traceparent === undefined ? {} : { traceparent },
      read: "text",
      timeoutMs: 0,
      maxResponseBytes: maxAnswer,
      signal,
    });
    return parseAnswer(String(answer.body ?? ""), mask, null);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const failure = failureOf(error, mask);
    if (body.stream !== undefined && failure.kind !== "unreachable") failure.message += inChunks;
    throw failure;
  } finally {
    client.close();
  }
}

/** Servers that cannot read chunks do not say so. */
const inChunks = ` (a request of more than ${maxSizedBytes / 1024 ** 2} MiB is sent in chunks: the server has to read transfer-encoding: chunked)`;

function failureOf(error: HttpError, mask: SecretMask): AnswerFailure {
  if (error instanceof ApiError) {
    const text = mask.apply(textOf(error.body)).trim();
    const isRedirect = error.status >= 300 && error.status < 400;
    const hint = isRedirect ? ", and redirects are not followed" : "";
    const message = `answered status ${error.status}${hint}${text && `: ${shorten(text)}`}`;
    return new AnswerFailure("refused", message, text.slice(0, shownOfAnswer) || null);
  }
  if (error instanceof ConnectionError && error.neverSent) {
    return new AnswerFailure("unreachable", `cannot be reached (${error.code})`);
  }
  if (error instanceof ConnectionError) {
    const message = `broke off the connection (${error.code}) before its answer was whole`;
    return new AnswerFailure("broke_off", message);
  }
  const message = error.message.replace(`${error.method} ${error.url} `, "");
  return new AnswerFailure("bad_result", mask.apply(message));
}

/** A parsed body can be nested too deeply to be serialized again. */
function textOf(body: unknown): string {
  if (body === null || typeof body === "string") return body ?? "";
  try {
    return JSON.stringify(body);
  } catch {
    return "";
  }
}
