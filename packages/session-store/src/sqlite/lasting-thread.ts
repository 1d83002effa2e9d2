import { StoreUnavailableError } from "../store-errors.ts";
import { type CallOptions, StorageThread, type ThreadOptions } from "./storage-thread.ts";
import type { ThreadCalls } from "./thread-messages.ts";

/** How long a thread may take to give up what it waits for. */
const giveUpMs = 2_000;

/** A storage thread that the next call starts anew after it has died. */
export class LastingThread<Calls extends ThreadCalls<Calls>> {
  readonly #options: ThreadOptions;
  #thread: StorageThread<Calls>;
  #closed: Promise<void> | null = null;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#thread = new StorageThread(options);
  }

  /** What the first thread says of itself. @throws StoreSchemaError StoreUnavailableError */
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
    if (!this.#thread.isUsable) this.#thread = new StorageThread(this.#options);
    return this.#thread.call(name, request, options);
  }

  /** Ends within `timeoutMs` and two seconds, whatever the thread hangs in. */
  close(timeoutMs: number): Promise<void> {
    this.#closed ??= this.#end(timeoutMs);
    return this.#closed;
  }

  async #end(timeoutMs: number): Promise<void> {
    const { stop } = this.#options.data;
    this.#thread.askToEnd();
    if (await this.#thread.endsWithin(timeoutMs)) return;
    Atomics.store(stop, 0, 1);
    Atomics.notify(stop, 0);
    if (await this.#thread.endsWithin(giveUpMs)) return;
    this.#thread.abandon();
  }
}
