import { StoreReplacedError, StoreUnavailableError } from "../errors.ts";
import { type CallOptions, StorageThread, type ThreadOptions } from "./storage-thread.ts";
import type { StopFlag, ThreadCalls, ThreadData } from "./thread-messages.ts";

export interface LastingThreadOptions extends Omit<ThreadOptions, "data"> {
  readonly stop: StopFlag;
  /** False while connections to a replaced file still have to be closed. */
  readonly isFileFree: () => boolean;
  /** Requested again for each thread that replaces another. */
  readonly data: () => ThreadData;
  /** Called with each thread's first message when it has started. */
  readonly onReady?: (reply: unknown) => void;
}

/** How long a thread may take to abandon what it waits for. */
const giveUpMs = 2_000;

/** A storage thread that the next call restarts if it has died. */
export class LastingThread<Calls extends ThreadCalls<Calls>> {
  readonly #options: LastingThreadOptions;
  #thread: StorageThread<Calls>;
  #closed: Promise<void> | null = null;

  constructor(options: LastingThreadOptions) {
    this.#options = options;
    this.#thread = this.#start();
  }

  /** The first thread's first message. @throws StoreSchemaError StoreUnavailableError */
  get ready(): Promise<unknown> {
    return this.#thread.ready;
  }

  /** @throws StoreUnavailableError */
  call<Name extends keyof Calls & string>(
    name: Name,
    request: Calls[Name]["request"],
    options: CallOptions,
  ): Promise<Calls[Name]["reply"]> {
    if (this.#closed !== null) {
      return Promise.reject(new StoreUnavailableError("the store is closed"));
    }
    if (!this.#options.isFileFree()) {
      return Promise.reject(new StoreReplacedError("the file was replaced and is being reopened"));
    }
    if (!this.#thread.isUsable) this.#thread = this.#start();
    return this.#thread.call(name, request, options);
  }

  /** Ends the running thread. The next call starts another one. */
  letGo(): Promise<void> {
    this.#thread.retire();
    return this.#end(giveUpMs);
  }

  /** Ends within `timeoutMs` plus two seconds, whatever the thread hangs in. */
  close(timeoutMs: number): Promise<void> {
    this.#closed ??= this.#close(timeoutMs);
    return this.#closed;
  }

  #start(): StorageThread<Calls> {
    const { data, onReady, ...options } = this.#options;
    const thread = new StorageThread<Calls>({ ...options, data: data() });
    thread.ready.then(onReady, () => {});
    return thread;
  }

  async #close(timeoutMs: number): Promise<void> {
    const { stop } = this.#options;
    this.#thread.askToEnd();
    if (await this.#thread.endsWithin(timeoutMs)) return;
    Atomics.store(stop, 0, 1);
    Atomics.notify(stop, 0);
    await this.#end(giveUpMs);
  }

  async #end(timeoutMs: number): Promise<void> {
    if (await this.#thread.endsWithin(timeoutMs)) return;
    this.#thread.abandon();
  }
}

/** A thread that reads a file which this process does not write. @param entry URL of its module */
export function openReaderThread<Calls extends ThreadCalls<Calls>>(
  file: string,
  entry: string,
): LastingThread<Calls> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  return new LastingThread<Calls>({
    name: "storage reader",
    isWriter: false,
    entry,
    stop,
    isFileFree: () => true,
    onReplaced: () => {},
    data: () => ({ file, stop, known: null }),
  });
}
