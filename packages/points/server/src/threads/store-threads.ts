import { StoreUnavailableError } from "@proj/database";
import { type CallOptions, PointsThread } from "./points-thread.ts";
import type { CallName, CallReply, CallRequest, ThreadData } from "./thread-calls.ts";

/** Longer than the wait for the lock. */
const callTimeoutMs = 60_000;

type JobRole = Extract<ThreadData["role"], "import" | "snapshot">;

/** The threads of a store: a permanent one for small calls, and one per import or snapshot while it runs. */
export class StoreThreads {
  readonly #data: Omit<ThreadData, "role">;
  readonly #closing = new AbortController();
  readonly #jobs = new Set<Promise<unknown>>();
  #ledger: PointsThread;

  constructor(data: Omit<ThreadData, "role">) {
    this.#data = data;
    this.#ledger = this.#startLedger();
  }

  /** Calls the permanent thread; if it died, it is started again. */
  call<Name extends CallName>(name: Name, request: CallRequest<Name>): Promise<CallReply<Name>> {
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason);
    if (!this.#ledger.isUsable) this.#ledger = this.#startLedger();
    return this.#ledger.call(name, request, { timeoutMs: callTimeoutMs });
  }

  /** Runs on a thread of its own, whose memory is freed when it ends. */
  job<Name extends CallName>(
    role: JobRole,
    name: Name,
    request: CallRequest<Name>,
    options: CallOptions = {},
  ): Promise<CallReply<Name>> {
    const running = this.#run(role, name, request, options);
    const ended = running.catch(() => {});
    this.#jobs.add(ended);
    void ended.then(() => this.#jobs.delete(ended));
    return running;
  }

  async close(): Promise<void> {
    this.#closing.abort(new StoreUnavailableError("the store is closed"));
    await Promise.all([...this.#jobs, this.#ledger.end()]);
  }

  async #run<Name extends CallName>(
    role: JobRole,
    name: Name,
    request: CallRequest<Name>,
    { signal, ...options }: CallOptions,
  ): Promise<CallReply<Name>> {
    const signals = [this.#closing.signal, ...(signal === undefined ? [] : [signal])];
    const either = AbortSignal.any(signals);
    either.throwIfAborted();
    const thread = new PointsThread({ ...this.#data, role });
    try {
      return await thread.call(name, request, { ...options, signal: either });
    } finally {
      await thread.end();
    }
  }

  #startLedger(): PointsThread {
    return new PointsThread({ ...this.#data, role: "ledger" });
  }
}
