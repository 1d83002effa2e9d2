import type { Connection } from "../connection/connection.ts";
import type { Link } from "../connection/link.ts";
import { NotConnectedError } from "../errors/not-connected-error.ts";
import { RefusalError } from "../errors/refusal-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import { withDeadline } from "../waiting/with-deadline.ts";
import type { CallOptions } from "./call-options.ts";
import type { Call, Send } from "./sender.ts";

export interface CallerOptions {
  readonly baseUrl: string;
  readonly connection: Connection;
  readonly send: Send;
  /** Default time-out of a call, in milliseconds. */
  readonly timeoutMs: number;
}

/** Makes the user's calls. Each waits for a connection and ends within its time-out. */
export class Caller {
  readonly connection: Connection;
  readonly send: Send;
  readonly #options: CallerOptions;

  constructor(options: CallerOptions) {
    this.connection = options.connection;
    this.send = options.send;
    this.#options = options;
  }

  /**
   * Runs a query of the server under the time-out and signal of a call.
   * @param request method and path, for errors
   */
  within<T>(
    request: Pick<Call<T>, "method" | "path">,
    { signal, timeoutMs = this.#options.timeoutMs }: CallOptions,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { baseUrl, connection } = this.#options;
    const url = baseUrl + request.path;
    const timeoutError = (): Error =>
      connection.current === null
        ? new NotConnectedError(
            "timeout",
            `${request.method} ${url} waited ${timeoutMs} ms for a connection`,
            connection.lastFailure,
          )
        : new TimeoutError(`${request.method} ${url} had no answer in ${timeoutMs} ms`);
    return withDeadline({ timeoutMs, timeoutError, signals: [signal, connection.closing] }, run);
  }

  /**
   * Sends a call over the current connection, or the next one.
   * @throws RefusalError, OutcomeUnknownError, NotConnectedError, HttpError, or the signal's reason
   */
  call<T>(call: Call<T>, options: CallOptions = {}): Promise<T> {
    const { connection, send } = this.#options;
    return this.within(call, options, async (signal) => {
      const attempt = (): Promise<T> => send(call, () => connection.ready(signal), signal);
      return attempt().catch((error: unknown) => {
        const hadEnded = error instanceof NotConnectedError && error.reason === "ended";
        if (call.isIdempotent && hadEnded) return attempt();
        throw error;
      });
    });
  }

  /**
   * Runs work that needs one connection from beginning to end; starts over when it breaks.
   * @param signal aborts all of it; `run` gets a signal that also aborts when the connection ends, and
   * must check it before keeping a result
   */
  async overOneLink<T>(
    signal: AbortSignal,
    run: (link: Link, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const link = await this.connection.ready(signal);
      try {
        return await run(link, AbortSignal.any([signal, link.broken]));
      } catch (error) {
        if (error instanceof RefusalError || signal.aborted || !link.broken.aborted) throw error;
      }
    }
  }
}
