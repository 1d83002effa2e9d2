import type { IncomingHttpHeaders } from "node:http";
import type { Cancellation } from "../call/cancellation.ts";

export interface AnswerHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

const firstDelayMs = 200;
const maxDelayMs = 2000;
/**
 * If the upstream asks for a longer wait, its answer is passed on: the caller can wait better than we can.
 */
const maxAskedMs = 5000;

/**
 * Whether a failed request may be sent again, as the official SDKs decide it: by the header `x-should-retry`, else by
 * the status, of which 529 is Anthropic's for an overload.
 */
export function mayBeRetried({ status, headers }: AnswerHead): boolean {
  if (status < 400) return false;
  const told = headers["x-should-retry"];
  if (told === "true" || told === "false") return told === "true";
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Between half and all of a delay that doubles with every retry, in milliseconds. */
export function backoff(retry: number, random: () => number): number {
  const delay = Math.min(firstDelayMs * 2 ** retry, maxDelayMs);
  return (delay * (1 + random())) / 2;
}

/**
 * How long to wait before sending the request that got this answer again; null if it must not be sent again.
 */
export function delayAfterAnswer(
  head: AnswerHead,
  retry: number,
  random: () => number,
): number | null {
  if (!mayBeRetried(head)) return null;
  const asked = askedDelay(head.headers);
  if (asked === null) return backoff(retry, random);
  return asked <= maxAskedMs ? asked : null;
}

/** The wait that an answer asks for, in milliseconds; null: it asks for none. */
export function askedDelay(headers: IncomingHttpHeaders): number | null {
  const milliseconds = headers["retry-after-ms"];
  if (typeof milliseconds === "string" && /^\d+(\.\d+)?$/.test(milliseconds))
    return Number(milliseconds);
  const after = headers["retry-after"];
  if (typeof after !== "string") return null;
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** Rejects with the reason if the call is cancelled meanwhile. */
export function wait(milliseconds: number, cancellation: Cancellation): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      resolve();
    }, milliseconds);
    const stop = cancellation.onCancel((reason) => {
      clearTimeout(timer);
      reject(reason);
    });
  });
}
