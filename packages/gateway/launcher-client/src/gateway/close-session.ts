import type { SessionStatusBody } from "@proj/gateway-protocol";
import { ApiError, HttpError } from "@proj/http-client";
import { poll } from "../poll.ts";
import type { CloseOptions, GatewayClient } from "./gateway-client.ts";

export interface CloseSessionOptions
  extends Pick<CloseOptions, "signal" | "reason" | "mode" | "traceparent"> {
  /** Limit for the whole close, in milliseconds. @default 120_000 */
  readonly timeoutMs?: number | undefined;
  /** Between two requests, in milliseconds. @default 500 */
  readonly minDelayMs?: number | undefined;
  /** @default 40_000 */
  readonly maxDelayMs?: number | undefined;
}

export interface SessionClose {
  readonly closed: boolean;
  /** The gateway's last answer; null: it never answered, or not in this form. */
  readonly status: SessionStatusBody | null;
  /** Why the last request got no answer; null: it got one. */
  readonly error: HttpError | null;
}

/** The longest that a gateway waits before it answers a close. */
const maxWaitMs = 30_000;
/** How long the answer itself may take. */
const answerMs = 10_000;

/**
 * Closes a session and waits until it is closed or the time is up, with exponential back-off that respects
 * `Retry-After`. A gateway that can wait is asked to, so that no time is lost between two requests; a gateway that is
 * out of reach is tried again. A refusal that a retry cannot change ends the wait.
 * @throws the signal's reason; TypeError the session id is invalid
 */
export async function closeSession(
  client: Pick<GatewayClient, "close">,
  session_id: string,
  options: CloseSessionOptions = {},
): Promise<SessionClose> {
  const {
    timeoutMs = 120_000,
    minDelayMs,
    maxDelayMs,
    signal,
    reason,
    mode,
    traceparent,
  } = options;
  let status: SessionStatusBody | null = null;
  let error: HttpError | null = null;
  const closed = await poll<boolean>(
    async (remainingMs) => {
      // Half of the time is left for the answer, so that even the last one arrives in time.
      const waitMs = Math.floor(Math.min(maxWaitMs, remainingMs / 2));
      const askedAt = performance.now();
      try {
        const answer = await client.close(session_id, {
          ...{ signal, reason, mode, traceparent, retry: false },
          waitS: waitMs / 1_000,
          timeoutMs: Math.max(1, Math.ceil(Math.min(remainingMs, waitMs + answerMs))),
        });
        error = null;
        status = answer.status;
        if (answer.closed) return { done: true, value: true };
        // A gateway with only the basic interface ignores `wait` and answers much earlier.
        const atOnce = performance.now() - askedAt >= 0.9 * waitMs;
        return { done: false, retryAfterMs: answer.retryAfterMs, atOnce };
      } catch (failure) {
        if (!(failure instanceof HttpError)) throw failure;
        error = failure;
        if (!failure.isRetryable) return { done: true, value: false };
        return {
          done: false,
          retryAfterMs: failure instanceof ApiError ? failure.retryAfterMs : null,
        };
      }
    },
    { timeoutMs, minDelayMs, maxDelayMs, signal },
  );
  return { closed: closed ?? false, status, error };
}
