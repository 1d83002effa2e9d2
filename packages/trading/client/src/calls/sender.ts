import { ApiError, ConnectionError, type HttpClient, InvalidAnswerError } from "@proj/http-client";
import type { Link } from "../connection/link.ts";
import { NotConnectedError } from "../errors/not-connected-error.ts";
import { OutcomeUnknownError } from "../errors/outcome-unknown-error.ts";
import { RefusalError } from "../errors/refusal-error.ts";
import type { JsonObject } from "../reading/json-objects.ts";
import type { FormFields } from "../wire/index.ts";
import { Pacing } from "./pacing.ts";
import { readAnswer } from "./read-answer.ts";

export interface Call<T> {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The form of a POST or the query of a GET. */
  readonly fields?: FormFields;
  /** It may be sent again if its answer does not arrive. */
  readonly isIdempotent: boolean;
  /** @throws Error the answer is not as expected */
  readonly read: (answer: JsonObject) => T;
}

/**
 * Sends a call; retries idempotent calls, and any call that the server turned away as one too many.
 * @param link called at each attempt; its id is the first part of the header
 * @throws RefusalError, OutcomeUnknownError, NotConnectedError, HttpError, or the signal's reason
 */
export type Send = <T>(
  call: Call<T>,
  link: () => Link | Promise<Link>,
  signal: AbortSignal,
) => Promise<T>;

export function createSender(http: HttpClient, token: string): Send {
  const pacing = new Pacing();
  const send: Send = async (call, link, signal) => {
    const { method, path, fields = {}, isIdempotent } = call;
    const request = `${method} ${path}`;
    let used: Link | null = null;
    try {
      const { body } = await http.request(method, path, {
        // Every request needs the content type, even a GET (docs/interfaces.md, "Trading: authentication").
        ...(method === "GET" ? { query: fields, form: {} } : { form: fields }),
        headers: async () => {
          used = await link();
          return { Authorization: `Bearer ${used.connectionId}${token}` };
        },
        read: "text",
        timeoutMs: 0,
        idempotent: isIdempotent,
        signal,
      });
      return readAs(call, String(body ?? ""), `${http.baseUrl}${path}`);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) throw endedBy(error, used);
      const refusal = error instanceof ApiError ? refusalOf(error, request) : null;
      if (refusal !== null) throw refusal;
      if (!isIdempotent && used !== null && mayBeExecuted(error)) {
        throw new OutcomeUnknownError(request, error);
      }
      throw error;
    }
  };
  return (call, link, signal) => pacing.run(signal, () => send(call, link, signal));
}

/** The server does not know the connection: it has ended, even if we have not noticed yet. */
function endedBy(error: ApiError, link: Link | null): NotConnectedError {
  link?.close("the server no longer knows the connection");
  const message = `${error.method} ${error.url} was not executed: the connection had just ended`;
  return new NotConnectedError("ended", message, error);
}

function readAs<T>({ method, path, read }: Call<T>, text: string, url: string): T {
  try {
    return read(readAnswer(text, `${method} ${path}`));
  } catch (error) {
    if (error instanceof RefusalError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new InvalidAnswerError(
      { method, url },
      `sent an answer that cannot be read: ${why}`,
      error,
    );
  }
}

/** The interface does not define the status of a refusal. */
function refusalOf({ status, body }: ApiError, request: string): RefusalError | null {
  if (![400, 409, 422].includes(status)) return null;
  try {
    readAnswer(typeof body === "string" ? body : JSON.stringify(body), request);
  } catch (error) {
    if (error instanceof RefusalError) return error;
  }
  return null;
}

/** Whether a request that was sent and failed like this may have been executed. */
function mayBeExecuted(error: unknown): boolean {
  if (error instanceof RefusalError) return false;
  if (error instanceof ConnectionError) return !error.neverSent;
  if (error instanceof ApiError) return error.status === 408 || error.status >= 500;
  return true;
}
