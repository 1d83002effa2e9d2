import type { FormValue } from "@proj/trading-protocol";

/** A request as the server got it. */
export interface RecordedRequest {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of the form, or the query of a GET: the values of each key. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/** `body` as it is written; an object as JSON. */
export interface Answer {
  readonly status?: number;
  readonly body: string | object;
}

/** `hang`: never an answer; `reset`: the connection breaks instead. */
export type Handler = (
  request: RecordedRequest,
) => Answer | "hang" | "reset" | Promise<Answer | "hang" | "reset">;

/** The envelope of docs/interfaces.md, "Trading: endpoints". */
export function executed(members: object = {}): Answer {
  return { body: { response: { executed: true, error: "" }, ...members } };
}

/** A refusal in both forms at once, as the broker sends it. */
export function refused(code: number, message: string, ...parameters: FormValue[]): Answer {
  const refusal = { code, message, parameters };
  const error = JSON.stringify(refusal);
  return { body: { response: { executed: false, error }, ...refusal } };
}

export function ordered(orderId: number): Answer {
  return executed({ data: { type: 0, orderId } });
}
