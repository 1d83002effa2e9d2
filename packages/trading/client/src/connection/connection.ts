import { addAbortListener } from "node:events";
import { sleep } from "@proj/http-client";
import { NotConnectedError } from "../errors/not-connected-error.ts";
import { untilAborted } from "../waiting/until-aborted.ts";
import { withDeadline } from "../waiting/with-deadline.ts";
import type { Link } from "./link.ts";

export interface ConnectionOptions {
  readonly url: string;
  /** Time-out of one attempt in milliseconds, including renewal. */
  readonly connectTimeoutMs: number;
  /** Back-off with full jitter, in milliseconds. */
  readonly reconnectMinDelayMs: number;
  readonly reconnectMaxDelayMs: number;
  readonly open: (signal: AbortSignal) => Promise<Link>;
  /** Restores subscriptions and tables on a new connection. */
  readonly renew: (link: Link, signal: AbortSignal) => Promise<void>;
  readonly onConnected: (link: Link) => void;
  readonly onDisconnected: (reason: string) => void;
  readonly onFailed: (failure: ConnectionFailure) => void;
  /** Called once, last. @param error null: `close` was called */
  readonly onClosed: (error: NotConnectedError | null) => void;
}

export interface ConnectionFailure {
  readonly error: Error;
  /** Number of failed attempts in a row. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
}

type Gate = PromiseWithResolvers<Link>;

/** Keeps reconnecting until it is closed or the token is refused. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #closing = new AbortController();
  #current: Link | null = null;
  #gate: Gate = createGate();
  #lastFailure: Error | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#run();
  }

  /** The renewed connection; null: there is none. */
  get current(): Link | null {
    return this.#current;
  }

  /** Aborted by `close` and by a refused token; its reason is a NotConnectedError. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Why there is no connection, for the errors of waiting calls. */
  get lastFailure(): Error | undefined {
    return this.#lastFailure;
  }

  /** Waits for a connection. @throws NotConnectedError it is closed, or the signal's reason */
  ready(signal: AbortSignal): Promise<Link> {
    return untilAborted(this.#gate.promise, signal);
  }

  close(): void {
    this.#close(null);
  }

  async #run(): Promise<void> {
    const { reconnectMinDelayMs, reconnectMaxDelayMs, onFailed, onDisconnected } = this.#options;
    const { signal } = this.#closing;
    for (let failures = 0; ; ) {
      let delayMs = Math.random() * reconnectMinDelayMs;
      try {
        const link = await this.#connect();
        failures = 0;
        const reason = await this.#use(link);
        if (signal.aborted) return;
        onDisconnected(reason);
      } catch (cause) {
        if (signal.aborted) return;
        const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
        if (error instanceof NotConnectedError && error.reason === "refused") {
          this.#close(error);
          return;
        }
        delayMs =
          Math.random() * Math.min(reconnectMaxDelayMs, reconnectMinDelayMs * 2 ** failures);
        failures += 1;
        this.#lastFailure = error;
        onFailed({ error, attempt: failures, delayMs });
      }
      await sleep(delayMs, signal).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  async #connect(): Promise<Link> {
    const { url, connectTimeoutMs: timeoutMs, open, renew } = this.#options;
    const timeoutError = (): Error => new Error(`No connection to ${url} within ${timeoutMs} ms`);
    const deadline = { timeoutMs, timeoutError, signals: [this.#closing.signal] };
    return withDeadline(deadline, async (signal) => {
      const link = await open(signal);
      try {
        await renew(link, AbortSignal.any([signal, link.broken]));
        link.broken.throwIfAborted();
        return link;
      } catch (error) {
        link.close("its subscriptions could not be renewed");
        throw error;
      }
    });
  }

  /** Makes a connection available until it breaks. @returns why it broke */
  async #use(link: Link): Promise<string> {
    const ended = Promise.withResolvers<string>();
    addAbortListener(link.broken, () => {
      this.#current = null;
      this.#gate = createGate();
      const { reason } = link.broken;
      ended.resolve(reason instanceof Error ? reason.message : String(reason));
      if (this.#closing.signal.aborted) this.#gate.reject(this.#closing.signal.reason);
    });
    this.#current = link;
    this.#gate.resolve(link);
    this.#options.onConnected(link);
    return ended.promise;
  }

  #close(refused: NotConnectedError | null): void {
    if (this.#closing.signal.aborted) return;
    const error = refused ?? new NotConnectedError("closed", "The client is closed");
    this.#closing.abort(error);
    this.#current?.close(error.message);
    this.#gate.reject(error);
    this.#options.onClosed(refused);
  }
}

function createGate(): Gate {
  const gate: Gate = Promise.withResolvers();
  // Avoids an unhandled rejection if nobody is waiting when it closes.
  gate.promise.catch(() => undefined);
  return gate;
}
