import { mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { pino } from "pino";

/** How many bytes may wait for a slow disk; beyond that, lines are dropped. */
const maxWaitingBytes = 4 * 1024 * 1024;
/** Readable for the group, so that log shippers can read it. */
const newFileMode = 0o640;
const closeTimeoutMs = 2_000;
const standardError = 2;

type File = ReturnType<typeof pino.destination>;

/**
 * Where the service log's lines go: into the file, written in the background, and to standard error while the
 * file cannot be written.
 */
export class LogDestination {
  readonly #path: string;
  #file: File | null = null;
  #failing = false;

  constructor(path: string) {
    this.#path = path;
    try {
      // Opened before anything is logged, so that no line is lost if opening fails.
      mkdirSync(dirname(path), { recursive: true });
      this.#file = this.#open(openSync(path, "a", newFileMode));
    } catch (error) {
      this.#fail(error);
    }
  }

  write(line: string): void {
    if (this.#failing || this.#file === null) writeToStandardError(line);
    // Each line is a new attempt to write a file that failed; pino keeps what it could not write.
    this.#file?.write(line);
  }

  /** Writes what is waiting, for two seconds at most. Later lines go to standard error. */
  async close(): Promise<void> {
    const file = this.#file;
    if (file === null) return;
    this.#file = null;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeTimeoutMs);
    file.once("close", resolve);
    file.once("error", () => resolve());
    file.end();
    await closed;
    clearTimeout(timer);
    file.destroy();
  }

  #open(descriptor: number): File {
    const file = pino.destination({ dest: descriptor, sync: false, maxLength: maxWaitingBytes });
    file.on("error", (error) => this.#fail(error));
    file.on("write", () => {
      this.#failing = false;
    });
    return file;
  }

  #fail(error: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    const reason = error instanceof Error ? error.message : String(error);
    writeToStandardError(
      `The service log '${this.#path}' cannot be written: ${reason}. It is written to standard error instead.\n`,
    );
  }
}

function writeToStandardError(line: string): void {
  try {
    writeSync(standardError, line);
  } catch {
    // There is nowhere left to report this.
  }
}
