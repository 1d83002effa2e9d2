import { LastingThread } from "./lasting-thread.ts";
import type { KnownDatabase, StopFlag, ThreadCalls, ThreadData } from "./thread-messages.ts";

export interface FileThreadsOptions {
  readonly file: string;
  /** URLs of the modules that the threads run. */
  readonly writer: string;
  readonly reader: string;
  /** Additional data for the writer, requested each time it starts. */
  readonly writerData: () => object;
  /** @default false */
  readonly hasBrowser?: boolean;
}

/**
 * The thread that writes a file and those that read it. When one finds the file replaced, all close it before
 * any opens it again: connections to the old WAL and to the new one would share one index.
 */
export class FileThreads<
  WriterCalls extends ThreadCalls<WriterCalls>,
  ReaderCalls extends ThreadCalls<ReaderCalls>,
> {
  readonly writer: LastingThread<WriterCalls>;
  readonly reader: LastingThread<ReaderCalls>;
  /** A second reader, for reads that may take long: the first one's callers do not wait for them. */
  readonly browser: LastingThread<ReaderCalls> | null;
  #known: KnownDatabase | null = null;
  #lettingGo: Promise<void> | null = null;

  constructor({ file, writer, reader, writerData, hasBrowser = false }: FileThreadsOptions) {
    const stop: StopFlag = new Int32Array(new SharedArrayBuffer(4));
    const data = (): ThreadData => ({ file, stop, known: this.#known });
    const shared = {
      stop,
      isFileFree: () => this.#lettingGo === null,
      onReplaced: () => this.#letGo(),
    };
    this.writer = new LastingThread({
      ...shared,
      name: "storage writer",
      isWriter: true,
      entry: writer,
      data: () => ({ ...writerData(), ...data() }),
      onReady: (known) => {
        // The writers of all packages send this.
        this.#known = known as KnownDatabase;
      },
    });
    const readerOptions = { ...shared, isWriter: false, entry: reader, data };
    this.reader = new LastingThread({ ...readerOptions, name: "storage reader" });
    this.browser = hasBrowser
      ? new LastingThread({ ...readerOptions, name: "storage browser" })
      : null;
  }

  /**
   * Resolves with the `storage_id` when the file can be written. The reader takes longer to load, and is not needed to
   * find out whether the start fails.
   * @throws StoreSchemaError StoreUnavailableError
   */
  async start(): Promise<string> {
    await this.writer.ready;
    return this.#known?.storage_id ?? "";
  }

  /** The writer closes last, because without readers it can empty the WAL. */
  async close(timeoutMs: number): Promise<void> {
    await Promise.all([this.reader.close(timeoutMs), this.browser?.close(timeoutMs)]);
    await this.writer.close(timeoutMs);
  }

  #letGo(): void {
    this.#lettingGo ??= Promise.all([
      this.writer.letGo(),
      this.reader.letGo(),
      this.browser?.letGo(),
    ]).then(() => {
      this.#lettingGo = null;
    });
  }
}
