import type { RequestLogConfig } from "@proj/gateway-protocol";
import type { RequestLogEntry } from "./call-log-entry.ts";
import { encodeEntry } from "./encode-entry.ts";
import { LineQueue } from "./line-queue.ts";
import { RotatingFile } from "./rotating-file.ts";

/**
 * Lines gathered over this time, in milliseconds, are written together: one write per line would cost more
 * than the line.
 */
const gatherMs = 50;
const chunkBytes = 256 * 1024;
/** This much is written without waiting for more: it still fits into one chunk, and so into one write. */
const promptBytes = 192 * 1024;
const maxQueueLines = 65_536;
const maxQueueBytes = 16 * 1024 * 1024;
/** If bodies are recorded whole, two of the largest must fit. */
const maxQueueBytesWholeBodies = 256 * 1024 * 1024;
const retryMs = 1_000;
const closeTimeoutMs = 5_000;

/** One JSON line per request. It loses lines, and counts them, rather than hold up a request. */
export class RequestLog {
  /** If false, nothing is recorded, and no entry need be made. */
  readonly enabled: boolean;
  /** Maximum bytes of each body in a line; 0: all. */
  readonly bodyLimit: number;
  readonly #path: string;
  readonly #onError: (message: string) => void;
  readonly #queue: LineQueue;
  readonly #file: RotatingFile;
  /** Removed from the queue but not yet in the file. */
  #batch: Buffer = Buffer.alloc(0);
  #lost = 0;
  #failed = false;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;
  #closing: Promise<void> | null = null;

  /**
   * @param onError called once when the file cannot be written, and again only after it could be; until then
   * lines are kept up to 16 MiB (256 MiB if bodies are recorded whole)
   */
  constructor(config: RequestLogConfig, onError: (message: string) => void) {
    this.enabled = config.enabled;
    const { path, max_bytes: maxBytes, backup_count: backupCount } = config;
    this.#path = path;
    this.bodyLimit = config.body_limit_bytes;
    this.#onError = onError;
    const queueBytes = this.bodyLimit === 0 ? maxQueueBytesWholeBodies : maxQueueBytes;
    this.#queue = new LineQueue(maxQueueLines, queueBytes, chunkBytes);
    this.#file = new RotatingFile({ path, maxBytes, backupCount });
  }

  /** Lines that will never be in the file, counted since the start. */
  get lost(): number {
    return this.#lost;
  }

  /** Never throws, never waits. The caller may reuse the bytes once it returns. */
  write(entry: RequestLogEntry): void {
    if (!this.enabled) return;
    if (!this.#add(entry)) this.#lost += 1;
    else if (this.#writing === null) this.#schedule();
  }

  /** Resolves once everything that was queued is in the file, or the file turned out not to be writable. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#start();
  }

  /** Flushes for at most five seconds and closes the file; later entries count as lost. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Encodes at once: encoding a batch of lines together would block the event loop for longer. */
  #add(entry: RequestLogEntry): boolean {
    const bodies = this.#recordedBytes(entry.request) + this.#recordedBytes(entry.response);
    if (this.#closing !== null || !this.#queue.hasRoom(bodies)) return false;
    try {
      return this.#queue.add((target, at) => encodeEntry(entry, this.bodyLimit, target, at));
    } catch {
      // A body that is not UTF-8 and larger than the largest string, or no memory for the line.
      return false;
    }
  }

  #recordedBytes(body: Uint8Array | null): number {
    if (body === null) return 0;
    return this.bodyLimit === 0 ? body.length : Math.min(body.length, this.bodyLimit);
  }

  #schedule(): void {
    if (this.#queue.bytes >= promptBytes && !this.#failed) void this.#start();
    else this.#timer ??= setTimeout(() => void this.#start(), gatherMs);
  }

  #start(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing ??= this.#run();
    return this.#writing;
  }

  /** Writes the lines queued when it starts; lines that come meanwhile are gathered for the next run. */
  async #run(): Promise<void> {
    let due = this.#queue.bytes;
    try {
      // Lines that were due may be gone: `close` drops them if the disk did not answer in time.
      while (this.#batch.length > 0 || (due > 0 && this.#queue.lines > 0)) {
        if (this.#batch.length === 0) {
          this.#batch = this.#queue.take();
          due -= this.#batch.length;
        }
        this.#batch = this.#batch.subarray(await this.#file.append(this.#batch));
        this.#failed = false;
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#writing = null;
    if (this.#closing !== null) return;
    if (this.#failed) this.#timer ??= setTimeout(() => void this.#start(), retryMs).unref();
    else if (this.#queue.lines > 0) this.#schedule();
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#onError(
      `The request log '${this.#path}' cannot be written: ${reason}. Requests continue; lines are kept while memory for them lasts.`,
    );
  }

  async #close(): Promise<void> {
    const { promise: timeout, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeTimeoutMs);
    const finished = this.flush().then(() => this.#file.close());
    await Promise.race([finished.catch(() => {}), timeout]);
    clearTimeout(timer);
    this.#lost += this.#queue.clear() + countLines(this.#batch);
    this.#batch = Buffer.alloc(0);
  }
}

function countLines(lines: Buffer): number {
  let count = 0;
  for (let end = lines.indexOf(0x0a); end !== -1; end = lines.indexOf(0x0a, end + 1)) count++;
  return count;
}
