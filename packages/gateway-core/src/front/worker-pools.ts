import { Pool } from "undici";

/** A worker that serves, with the connections to it. */
export interface FrontWorker {
  /** Its place, from 1 on: a worker that replaces another keeps its number. */
  readonly number: number;
  readonly pool: Pool;
}

/** How long before the worker would close it an idle connection is dropped, in milliseconds. */
const keepAliveThresholdMs = 2_000;

/** The workers that serve now, and which of them each session belongs to. */
export class WorkerPools {
  readonly #workers = new Map<number, FrontWorker>();
  #turn = 0;

  get all(): readonly FrontWorker[] {
    return [...this.#workers.values()].sort((a, b) => a.number - b.number);
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
    const hash = hashOf(session_id);
    let chosen: FrontWorker | null = null;
    let highest = -1;
    for (const worker of this.#workers.values()) {
      const score = mix(hash ^ Math.imul(worker.number, 0x9e3779b1));
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

/** FNV-1a, 32 bits; session ids are ASCII. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/** MurmurHash3's finalizer: every bit of the result depends on every bit of the hash. */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
