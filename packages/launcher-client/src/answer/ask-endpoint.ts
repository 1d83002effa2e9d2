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

/** How an endpoint is asked. */
export interface EndpointOptions {
  /** The header of that name, such as `Bearer …`. */
  readonly authorization?: string;
}

export interface Endpoint {
  readonly description: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** What it is told and may not be heard to say. */
  readonly secrets: readonly string[];
}

export interface EndpointQuestion {
  readonly body: Pick<RequestOptions, "json" | "stream">;
  /** The header of that name. */
  readonly traceparent: string | undefined;
  readonly mask: SecretMask;
  readonly signal: AbortSignal;
}

const largestAnswer = 1024 * 1024;
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
 * Posts to an endpoint, which may take its time: only the signal ends the waiting. What could not be
 * sent for want of a connection is sent again for some seconds; what was sent never is.
 * @throws AnswerFailure
 * @throws the signal's reason
 */
export async function askEndpoint(
  { url, headers }: Endpoint,
  { body, traceparent, mask, signal }: EndpointQuestion,
): Promise<Answer> {
  // A connection of its own: an idle one may be closed by the server at the moment it is used again.
  const client = createHttpClient({ baseUrl: new URL("/", url).href, headers });
  try {
    const answer = await client.request("POST", url.pathname + url.search, {
      ...body,
      headers: traceparent === undefined ? {} : { traceparent },
      read: "text",
      timeoutMs: 0,
      maxResponseBytes: largestAnswer,
      signal,
    });
    return parseAnswer(String(answer.body ?? ""), mask, null);
  } catch (error) {
    throw error instanceof HttpError ? failureOf(error, mask) : error;
  } finally {
    client.close();
  }
}

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

/** A parsed body can be nested too deeply to be written again. */
function textOf(body: unknown): string {
  if (body === null || typeof body === "string") return body ?? "";
  try {
    return JSON.stringify(body);
  } catch {
    return "";
  }
}
