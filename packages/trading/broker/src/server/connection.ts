import { setTimeout } from "node:timers/promises";
import type { TableModel } from "@proj/trading-client/wire";
import type { Faults } from "../faults/faults.ts";
import type { AccountAccess } from "./account-access.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { EngineSocket } from "./engine-socket.ts";
import { Outbox } from "./outbox.ts";
import { RateLimit } from "./rate-limit.ts";

const flushPollMs = 1;

export interface ConnectionParts {
  readonly socket: EngineSocket;
  /** Index of the token that it was opened with. */
  readonly token: number;
  /** What its token may do; null: everything. */
  readonly access: AccountAccess | null;
  readonly limits: ConnectionLimits;
  readonly faults: Faults;
  readonly log: (message: string) => void;
}

/** A client's connection and its subscriptions. */
export class Connection {
  readonly token: number;
  readonly access: AccountAccess | null;
  readonly symbols: Set<string> = new Set();
  readonly models: Set<TableModel> = new Set();
  readonly outbox: Outbox;
  readonly requests: RateLimit;
  readonly #socket: EngineSocket;

  constructor({ socket, token, access, limits, faults, log }: ConnectionParts) {
    this.#socket = socket;
    this.token = token;
    this.access = access;
    this.requests = new RateLimit(limits.requests_per_second);
    this.outbox = new Outbox({
      socket,
      maxChanges: limits.queued_changes,
      delayMs: () => faults.settings.push_delay_ms,
      copies: () => faults.copies(),
      overflow: () => {
        log(`closed a connection that did not read ${limits.queued_changes} table changes`);
        this.drop();
      },
    });
  }

  get id(): string {
    return this.#socket.id;
  }

  /** Resolves once everything pushed so far has been sent, or the connection has ended. */
  async flushed(signal: AbortSignal): Promise<void> {
    while (!this.outbox.isEmpty && this.#socket.readyState === "open")
      await setTimeout(flushPollMs, undefined, { signal });
  }

  /** Closes it without sending what is queued. */
  drop(): void {
    this.#socket.close(true);
  }
}
