import type { AxiosResponse } from "axios";
import { type AskedFor, InvalidAnswerError } from "./http-errors.ts";

export interface HttpAnswer {
  /** 2xx or 304; redirects are not followed. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; text if `read` is `text`; null if there is no body. */
  readonly body: unknown;
}

/** @throws InvalidAnswerError */
export function readAnswer(
  answer: AxiosResponse<string>,
  read: "json" | "text",
  asked: AskedFor,
): HttpAnswer {
  const { status, data } = answer;
  if (status === 0) throw new InvalidAnswerError(asked, "answered with a redirect");
  const headers = headersOf(answer);
  const body = read === "text" ? data || null : parseJson(data);
  if (body !== undefined) return { status, headers, body };
  const type = headers["content-type"] ?? "no content-type";
  throw new InvalidAnswerError(asked, `answered ${status} with a body that is not JSON (${type})`);
}

export const headersOf = ({ headers }: AxiosResponse): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Null: the text is empty. Undefined: the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return text.trim() === "" ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}
