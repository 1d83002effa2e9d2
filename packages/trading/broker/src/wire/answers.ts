import type { Envelope, Refusal } from "@proj/trading-client/wire";

export type Answer = Envelope & Readonly<Record<string, unknown>>;

/** @param content members next to the envelope */
export function executed(content: Readonly<Record<string, unknown>> = {}): Answer {
  return { response: { executed: true, error: "" }, ...content };
}

/** A refusal in both forms at once: as JSON in the envelope's string, and bare as in the interface's examples. */
export function refused(
  { code, message, parameters }: Refusal,
  content: Readonly<Record<string, unknown>> = {},
): Answer {
  const error = JSON.stringify({ code, message, parameters });
  return { response: { executed: false, error }, ...content, code, message, parameters };
}

/** The body of an HTTP error. */
export function failed(error: string): Answer {
  return { response: { executed: false, error } };
}
