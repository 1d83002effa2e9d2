import { type ResourceLimits, Worker } from "node:worker_threads";
import { StoreUnavailableError } from "@proj/database";
import type { ImportReport } from "../ingest/import-report.ts";
import { restoreFailure } from "./failure.ts";
import type {
  CallName,
  CallReply,
  CallRequest,
  ThreadAnswer,
  ThreadData,
  ThreadMessage,
} from "./thread-calls.ts";

/** How long a thread may take to abort a call. */
const giveUpMs = 5_000;
const maxPending = 64;
/** An import needs little memory, but V8 collects its old garbage only when half of the limit is full. */
const resourceLimits: Partial<Record<ThreadData["role"], ResourceLimits>> = {
  import: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 },
};

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((report: ImportReport) => void) | undefined;
  /** @default none */
  readonly timeoutMs?: number | undefined;
}

interface PendingCall {
  readonly onProgress: CallOptions["onProgress"];
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** One worker thread and its pending calls. */
export class PointsThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  readonly #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  #lastId = 0;
  #isUsable = true;
  #crash: unknown;

  constructor(data: ThreadData) {
    const entry = new URL(import.meta.resolve("@proj/points-server/worker"));
    this.#worker = new Worker(entry, {
      name: `points ${data.role}`,
      workerData: data,
      resourceLimits: resourceLimits[data.role] ?? {},
    });
    this.#worker.on("message", (answer: ThreadAnswer) => this.#onAnswer(answer));
    this.#worker.on("error", (error) => {
      this.#crash = error;
    });
    this.#worker.on("exit", () => this.#onExit());
  }

  /** False once it has ended. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** @throws what the call throws in the thread; the signal's reason; StoreUnavailableError */
  async call<Name extends CallName>(
    name: Name,
    request: CallRequest<Name>,
    options: CallOptions = {},
  ): Promise<CallReply<Name>> {
    const { signal, onProgress, timeoutMs } = options;
    signal?.throwIfAborted();
    // Nobody would answer it.
    if (!this.#isUsable) throw this.#endedError();
    if (this.#pending.size >= maxPending) {
      throw new StoreUnavailableError(`${maxPending} calls are already waiting`);
    }
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { resolve, reject, onProgress });
    this.#post({ kind: "call", id, name, request });
    const abort = (): void => this.#abort(id);
    signal?.addEventListener("abort", abort);
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => this.#giveUp(id), timeoutMs);
    try {
      return (await promise) as CallReply<Name>;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      this.#pending.delete(id);
    }
  }

  /** Waits for the pending calls, but not for a thread that hangs. */
  async end(timeoutMs: number = giveUpMs): Promise<void> {
    this.#post({ kind: "end" });
    const timer = setTimeout(() => this.#worker.terminate(), timeoutMs);
    await this.#ended.promise;
    clearTimeout(timer);
  }

  #post(message: ThreadMessage): void {
    this.#worker.postMessage(message);
  }

  #abort(id: number): void {
    this.#post({ kind: "abort", id });
    const timer = setTimeout(() => {
      if (this.#pending.has(id)) void this.#worker.terminate();
    }, giveUpMs);
    timer.unref();
  }

  #giveUp(id: number): void {
    const error = new StoreUnavailableError("the storage did not respond in time");
    this.#pending.get(id)?.reject(error);
  }

  #onAnswer(answer: ThreadAnswer): void {
    const call = this.#pending.get(answer.id);
    if (answer.kind === "progress") call?.onProgress?.(answer.report);
    else if (answer.kind === "reply") call?.resolve(answer.reply);
    else call?.reject(restoreFailure(answer.failure));
  }

  #onExit(): void {
    this.#isUsable = false;
    for (const { reject } of this.#pending.values()) reject(this.#endedError());
    this.#ended.resolve();
  }

  #endedError(): StoreUnavailableError {
    const reason = this.#crash instanceof Error ? `: ${this.#crash.message}` : "";
    return new StoreUnavailableError(`the storage thread ended${reason}`, { cause: this.#crash });
  }
}
