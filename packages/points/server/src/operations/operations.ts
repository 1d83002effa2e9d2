import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { ImportReport } from "../ingest/import-report.ts";
import type { PointsStore } from "../points-store.ts";
import type { PricesOptions } from "../price-sources/start-prices.ts";
import type { SnapshotInfo } from "../snapshots/snapshot-info.ts";
import type { ScheduleOptions } from "../start-snapshots.ts";

/** A line of the log. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly event: string;
  readonly [fact: string]: unknown;
}

export interface OperationsOptions {
  readonly store: PointsStore;
  /** @default nothing is logged */
  readonly log?: ((entry: LogEntry) => void) | undefined;
}

/** The answer of `/readyz`. */
export interface Readiness {
  readonly ready: boolean;
  /** Why it is not ready; empty if it is. */
  readonly reason: string;
  readonly snapshot: { readonly id: string; readonly time: number; readonly age_s: number } | null;
  /** The next snapshot is overdue by more than `refreshTime`: an old one is still served. */
  readonly late: boolean;
}

/** Probes, metrics and the log of one server. */
export class Operations {
  readonly #store: PointsStore;
  readonly #log: (entry: LogEntry) => void;
  readonly #registry = new Registry();
  readonly #snapshots: Counter<"outcome">;
  readonly #buildSeconds: Gauge;
  readonly #addresses: Gauge<"ranking">;
  readonly #events: Counter<"outcome">;
  readonly #requests: Counter<"route" | "status">;
  readonly #prices: Counter<"source" | "outcome">;
  readonly #pricesMissing: Gauge;
  /** The last error of each source that has not delivered a price since. */
  readonly #failing = new Map<string, string>();
  /** The tokens without a price in the last round, as text. */
  #missing = "";

  constructor({ store, log = () => {} }: OperationsOptions) {
    this.#store = store;
    this.#log = log;
    const registers = [this.#registry];
    this.#snapshots = new Counter({
      ...{ name: "points_snapshots_total", help: "Snapshots by result.", registers },
      labelNames: ["outcome"],
    });
    for (const outcome of ["built", "failed", "late"]) this.#snapshots.inc({ outcome }, 0);
    this.#buildSeconds = new Gauge({
      ...{ name: "points_snapshot_build_seconds", help: "Duration of the last build.", registers },
    });
    this.#addresses = new Gauge({
      ...{ name: "points_snapshot_addresses", help: "Addresses in the last snapshot.", registers },
      labelNames: ["ranking"],
    });
    this.#events = new Counter({
      ...{ name: "points_events_total", help: "Events received at /ingest.", registers },
      labelNames: ["outcome"],
    });
    for (const outcome of ["stored", "repeated", "refused"]) this.#events.inc({ outcome }, 0);
    this.#requests = new Counter({
      ...{ name: "points_requests_total", help: "Answers, by route and status.", registers },
      labelNames: ["route", "status"],
    });
    this.#prices = new Counter({
      ...{ name: "points_prices_total", help: "Prices fetched, and failures.", registers },
      labelNames: ["source", "outcome"],
    });
    this.#pricesMissing = new Gauge({
      ...{ name: "points_prices_missing", help: "Tokens without a usable price.", registers },
    });
    const age = new Gauge({
      ...{ name: "points_snapshot_age_seconds", help: "Age of the served snapshot.", registers },
      collect: async () => {
        const { snapshot } = await this.readiness();
        if (snapshot === null) age.remove();
        else age.set(snapshot.age_s);
      },
    });
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Callbacks for `startSnapshots`. */
  get schedule(): {
    readonly [Name in keyof ScheduleOptions]-?: NonNullable<ScheduleOptions[Name]>;
  } {
    return {
      onSnapshot: (info, builtMs) => this.#onSnapshot(info, builtMs),
      onError: (error) => {
        this.#snapshots.inc({ outcome: "failed" });
        this.#log({ level: "error", event: "snapshot_failed", error: messageOf(error) });
      },
      onLate: (late_s) => {
        this.#snapshots.inc({ outcome: "late" });
        this.#log({ level: "warn", event: "snapshot_late", late_s });
      },
    };
  }

  /** Callbacks for `startPrices`. Errors are logged when they change: a source may be down for hours. */
  get prices(): Required<Pick<PricesOptions, "onPrices" | "onError">> {
    return {
      onPrices: (taken, missing) => this.#onPrices(taken, missing),
      onError: (error, source) => {
        this.#prices.inc({ source, outcome: "failed" });
        const text = messageOf(error);
        if (this.#failing.get(source) === text) return;
        this.#failing.set(source, text);
        this.#log({ level: "warn", event: "prices_failed", source, error: text });
      },
    };
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  metrics(): Promise<string> {
    return this.#registry.metrics();
  }

  async readiness(): Promise<Readiness> {
    const now = Math.floor(Date.now() / 1000);
    try {
      const newest = await this.#store.readSnapshot();
      if (newest === null) return unready("no snapshot has been built yet");
      const { id, time } = newest;
      const age_s = Math.max(0, now - time);
      const late = age_s > 2 * this.#store.program.refreshTime;
      return { ready: true, reason: "", snapshot: { id, time, age_s }, late };
    } catch {
      return unready("the storage cannot be read");
    }
  }

  countAnswer(route: string, status: number): void {
    this.#requests.inc({ route, status });
  }

  countEvents({ stored, repeated, refused, lines }: ImportReport): void {
    this.#events.inc({ outcome: "stored" }, stored);
    this.#events.inc({ outcome: "repeated" }, repeated);
    this.#events.inc({ outcome: "refused" }, refused);
    if (refused > 0) this.#log({ level: "warn", event: "events_refused", refused, lines });
  }

  /** Called for each answer with status 500. */
  onError(error: unknown): void {
    this.#log({ level: "error", event: "request_failed", error: messageOf(error) });
  }

  #onPrices(taken: ReadonlyMap<string, string>, missing: readonly string[]): void {
    for (const source of taken.values()) {
      this.#prices.inc({ source, outcome: "stored" });
      this.#failing.delete(source);
    }
    this.#pricesMissing.set(missing.length);
    const tokens = missing.join();
    if (tokens === this.#missing) return;
    this.#missing = tokens;
    const level = missing.length === 0 ? "info" : "warn";
    this.#log({ level, event: "prices_missing", tokens: missing });
  }

  #onSnapshot({ id, time, totalItems }: SnapshotInfo, builtMs: number | null): void {
    for (const [ranking, items] of Object.entries(totalItems))
      this.#addresses.set({ ranking }, items);
    // Built by another process.
    if (builtMs === null) return;
    this.#snapshots.inc({ outcome: "built" });
    this.#buildSeconds.set(builtMs / 1000);
    const addresses = totalItems.total;
    this.#log({
      level: "info",
      event: "snapshot_built",
      id,
      time,
      addresses,
      took_ms: Math.round(builtMs),
    });
  }
}

const unready = (reason: string): Readiness => ({
  ...{ ready: false, reason, snapshot: null, late: false },
});

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
