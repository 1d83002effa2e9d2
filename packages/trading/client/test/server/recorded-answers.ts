import type { FormValue } from "@proj/trading-client/wire";

/** A request as the server received it. */
export interface RecordedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The values of each key in the form or, for a GET, the query. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/** A string `body` is sent as is, an object as JSON. */
export interface Answer {
  readonly status?: number;
  readonly body: string | object;
}

/** `hang`: never answers; `reset`: breaks the connection instead. */
export type Handler = (
  request: RecordedRequest,
) => Answer | "hang" | "reset" | Promise<Answer | "hang" | "reset">;

/** The envelope of docs/interfaces.md, "Trading: endpoints". */
export function executed(members: object = {}): Answer {
  return { body: { response: { executed: true, error: "" }, ...members } };
}

/** A refusal in both forms at once, like the broker's. */
export function refused(code: number, message: string, ...parameters: FormValue[]): Answer {
  const refusal = { code, message, parameters };
  const error = JSON.stringify(refusal);
  return { body: { response: { executed: false, error }, ...refusal } };
}

export function ordered(orderId: number): Answer {
  return executed({ data: { type: 0, orderId } });
}
