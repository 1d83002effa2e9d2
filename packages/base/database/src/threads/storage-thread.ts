import { Worker } from "node:worker_threads";
import { monotonicMs } from "../clock.ts";
import { StoreSchemaError, StoreUnavailableError } from "../errors.ts";
import { type Failure, restoreFailure } from "./failure.ts";
import type { ThreadCall, ThreadCalls, ThreadData, ThreadReply } from "./thread-messages.ts";

export interface ThreadOptions {
  /** Its name in errors and debuggers. */
  readonly name: string;
  /** Whether callers learn of its death, which their call may have caused. */
  readonly isWriter: boolean;
  /** URL of the module that the thread runs. */
  readonly entry: string;
  readonly data: ThreadData;
  /** Called when the thread has found its file replaced and is ending. */
  readonly onReplaced: () => void;
}

export interface CallOptions {
  /** By `monotonicMs`. */
  readonly deadline: number;
  readonly transfer?: readonly ArrayBuffer[];
}

interface PendingCall {
  resolve(reply: unknown): void;
  reject(error: Error): void;
  /** Gives up the call. */
  readonly timer: NodeJS.Timeout;
  isOverdue: boolean;
}

/** For a commit that began just before its deadline, and for its reply. */
const graceMs = 500;
const maxTimerMs = 2 ** 31 - 1;
const pendingLimit = 16_384;

/** One worker thread, and the calls that it has not answered yet. */
export class StorageThread<Calls extends ThreadCalls<Calls>> {
  readonly #name: string;
  readonly #isWriter: boolean;
  readonly #onReplaced: () => void;
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  readonly #ready = Promise.withResolvers<unknown>();
  readonly #ended = Promise.withResolvers<true>();
  #lastId = 0;
  #overdueCalls = 0;
  #isUsable = true;
  #crash: unknown;

  constructor({ name, isWriter, entry, data, onReplaced }: ThreadOptions) {
    this.#name = name;
    this.#isWriter = isWriter;
    this.#onReplaced = onReplaced;
    // Nobody waits for the start of a replacement thread: its calls report a failure.
    this.#ready.promise.catch(() => {});
    this.#worker = new Worker(new URL(entry), { name, workerData: data });
    this.#worker.on("message", (reply: ThreadReply) => this.#onReply(reply));
    this.#worker.on("error", (error) => {
      this.#crash = error;
    });
    this.#worker.on("exit", () => this.#onExit());
  }

  /** False once it has ended, or is about to end because of its own failure. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** The thread's first message when it has started. @throws StoreSchemaError StoreUnavailableError */
  get ready(): Promise<unknown> {
    return this.#ready.promise;
  }

  call<Name extends keyof Calls & string>(
    name: Name,
    request: Calls[Name]["request"],
    { deadline, transfer = [] }: CallOptions,
  ): Promise<Calls[Name]["reply"]> {
    if (this.#overdueCalls > 0) {
      return Promise.reject(this.#unavailable("is still working on a call whose time is up"));
    }
    if (this.#pending.size >= pendingLimit) {
      return Promise.reject(this.#unavailable(`already has ${pendingLimit} calls waiting`));
    }
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      const id = this.#lastId;
      const call: ThreadCall<Name> = [id, name, deadline, request];
      this.#worker.postMessage(call, transfer);
      const waitMs = Math.min(deadline + graceMs - monotonicMs(), maxTimerMs);
      const timer = setTimeout(() => this.#giveUp(id), waitMs);
      this.#pending.set(id, { resolve, reject, timer, isOverdue: false });
    });
  }

  /** Takes no more calls, and ends. */
  retire(): void {
    this.#isUsable = false;
    this.askToEnd();
  }

  /** Asks the thread to end once it has answered all earlier calls. */
  askToEnd(): void {
    const end: ThreadCall = [0, "end", 0, null];
    this.#worker.postMessage(end);
  }

  /** Whether it ends before the time is up. */
  async endsWithin(milliseconds: number): Promise<boolean> {
    const { promise: timeIsUp, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(resolve, milliseconds, false);
    const hasEnded = await Promise.race([this.#ended.promise, timeIsUp]);
    clearTimeout(timer);
    return hasEnded;
  }

  /** Releases the process and all callers from waiting for it. */
  abandon(): void {
    this.#isUsable = false;
    this.#worker.unref();
    // Settles when the thread returns from the system call that it hangs in, if ever.
    void this.#worker.terminate();
    this.#failPending(this.#unavailable("did not end in time and was abandoned"));
  }

  #onReply([id, reply, failure]: ThreadReply): void {
    if (id === 0) {
      this.#onStart(reply, failure);
      return;
    }
    const call = this.#pending.get(id);
    if (call === undefined) return;
    this.#pending.delete(id);
    clearTimeout(call.timer);
    if (call.isOverdue) this.#overdueCalls -= 1;
    if (failure === undefined) {
      call.resolve(reply);
    } else {
      if (failure.isLast) this.#isUsable = false;
      if (failure.kind === "replaced") this.#onReplaced();
      call.reject(restoreFailure(failure));
    }
  }

  #onStart(reply: unknown, failure: Failure | undefined): void {
    if (failure === undefined) {
      this.#ready.resolve(reply);
      return;
    }
    this.#isUsable = false;
    const error = restoreFailure(failure);
    this.#ready.reject(error);
    // A schema error fails only a program's start: later the database may become the right one again.
    const isSchema = error instanceof StoreSchemaError;
    this.#failPending(isSchema ? new StoreUnavailableError(error.message) : error);
  }

  #giveUp(id: number): void {
    const call = this.#pending.get(id);
    if (call === undefined) return;
    call.isOverdue = true;
    this.#overdueCalls += 1;
    call.reject(this.#unavailable("did not answer in time"));
  }

  #onExit(): void {
    const writerDied = this.#isUsable && this.#isWriter;
    this.#isUsable = false;
    const reason = this.#crash instanceof Error ? `: ${this.#crash.message}` : "";
    const error = this.#unavailable(`ended${reason}`, { cause: this.#crash, writerDied });
    this.#ready.reject(error);
    this.#failPending(error);
    this.#ended.resolve(true);
  }

  #failPending(error: Error): void {
    for (const { timer, reject } of this.#pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#pending.clear();
  }

  #unavailable(what: string, options?: ConstructorParameters<typeof StoreUnavailableError>[1]) {
    return new StoreUnavailableError(`the ${this.#name} ${what}`, options);
  }
}
