import { Pool } from "undici";
import { hashText, rendezvousScore } from "../upstream/rendezvous.ts";

/** A worker that is serving, with the connections to it. */
export interface FrontWorker {
  /** Its place, from 1 on: a worker that replaces another keeps its number. */
  readonly number: number;
  readonly pool: Pool;
}

/** An idle connection is dropped this many milliseconds before the worker would close it. */
const keepAliveThresholdMs = 2_000;
/** 2^32 divided by the golden ratio: spreads small numbers over all bits. */
const goldenRatio = 0x9e3779b1;

/** The workers that are serving now, and which of them each session belongs to. */
export class WorkerPools {
  readonly #workers = new Map<number, FrontWorker>();
  #turn = 0;

  get all(): readonly FrontWorker[] {
    return [...this.#workers.values()].sort((a, b) => a.number - b.number);
  }

  /** Whether this worker, not its successor, is serving. */
  has(worker: FrontWorker): boolean {
    return this.#workers.get(worker.number) === worker;
  }

  /** @param socketPath where the worker listens */
  admit(number: number, socketPath: string): void {
    this.dismiss(number);
    const pool = new Pool("http://localhost", {
      socketPath,
      connections: null,
      pipelining: 1,
      allowH2: false,
      // The worker has its own time-outs for callers and upstreams.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeoutThreshold: keepAliveThresholdMs,
    });
    this.#workers.set(number, { number, pool });
  }

  /** The worker is gone: its requests in flight fail. */
  dismiss(number: number): void {
    const worker = this.#workers.get(number);
    if (worker === undefined) return;
    this.#workers.delete(number);
    void worker.pool.destroy();
  }

  /**
   * The worker of a session: always the same one while it lives, and when a worker goes, only its own
   * sessions move (rendezvous hashing). Without a session, workers take turns. Null if none serves.
   */
  choose(session_id: string | null): FrontWorker | null {
    if (session_id === null) {
      const { all } = this;
      this.#turn = (this.#turn + 1) % Math.max(1, all.length);
      return all[this.#turn] ?? null;
    }
    const hash = hashText(session_id);
    let chosen: FrontWorker | null = null;
    let highest = -1;
    for (const worker of this.#workers.values()) {
      const score = rendezvousScore(hash, Math.imul(worker.number, goldenRatio));
      if (score <= highest) continue;
      highest = score;
      chosen = worker;
    }
    return chosen;
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map(({ pool }) => pool.destroy()));
    this.#workers.clear();
  }
}
