import { type FileHandle, mkdir, open, rename, truncate } from "node:fs/promises";
import { dirname } from "node:path";

const NEWLINE = 0x0a;

export interface RotatingFileOptions {
  readonly path: string;
  /** The file is rotated before it would exceed this; a larger line gets a file to itself. 0: never. */
  readonly maxBytes: number;
  /** Rotated files are kept as `path.1` (the newest) to `path.N`; 0: the file is emptied instead. */
  readonly backupCount: number;
}

/** The log contains bodies. An operator who lets others read an existing file has decided so. */
const newFileMode = 0o600;

/**
 * A file of whole lines, opened when first needed and again after every failure. Its methods must be called
 * one at a time.
 */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  #handle: FileHandle | null = null;
  #size = 0;

  constructor(options: RotatingFileOptions) {
    this.#options = options;
  }

  /**
   * Appends whole lines from the start of `lines`: as many as fit into one file. Returns how many bytes were
   * written, at least one line; pass the rest again. Rejects with the file system's error if no line could be
   * written.
   */
  async append(lines: Buffer): Promise<number> {
    let handle = this.#handle ?? (await this.#open());
    let fitting = this.#fitting(lines);
    if (fitting === 0) {
      await this.#rotate();
      handle = await this.#open();
      // Even if another process has already filled the new file, one line is written.
      fitting = this.#fitting(lines) || firstLine(lines);
    }
    return this.#write(handle, lines.subarray(0, fitting));
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  /** Bytes of the lines that fit into the file as it is; 0: it must be rotated first. */
  #fitting(lines: Buffer): number {
    const { maxBytes } = this.#options;
    const room = maxBytes - this.#size;
    if (maxBytes === 0 || lines.length <= room) return lines.length;
    if (this.#size === 0) return lines.lastIndexOf(NEWLINE, room - 1) + 1 || firstLine(lines);
    return room > 0 ? lines.lastIndexOf(NEWLINE, room - 1) + 1 : 0;
  }

  async #write(handle: FileHandle, lines: Buffer): Promise<number> {
    let written = 0;
    try {
      while (written < lines.length)
        written += (await handle.write(lines, written, lines.length - written)).bytesWritten;
      this.#size += written;
      return written;
    } catch (error) {
      // Takes back a partly written line. It is later written at the same place, so a reader that saw its
      // beginning continues where it stopped.
      const whole = written === 0 ? 0 : lines.lastIndexOf(NEWLINE, written - 1) + 1;
      if (whole < written) await handle.truncate(this.#size + whole).catch(() => {});
      await this.close().catch(() => {});
      if (whole === 0) throw error;
      return whole;
    }
  }

  async #open(): Promise<FileHandle> {
    const { path } = this.#options;
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(path, "a+", newFileMode);
    try {
      const { size } = await handle.stat();
      this.#size = size;
      if (size > 0) await this.#endLastLine(handle);
    } catch (error) {
      await handle.close().catch(() => {});
      throw error;
    }
    this.#handle = handle;
    return handle;
  }

  /** A killed process may have left half a line: ours would be lost after it. */
  async #endLastLine(handle: FileHandle): Promise<void> {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: this.#size - 1 });
    if (buffer[0] === NEWLINE) return;
    await handle.write("\n");
    this.#size += 1;
  }

  async #rotate(): Promise<void> {
    const { path, backupCount } = this.#options;
    await this.close();
    if (backupCount === 0) return truncate(path, 0);
    for (let number = backupCount; number > 1; number--)
      await renameExisting(`${path}.${number - 1}`, `${path}.${number}`);
    await renameExisting(path, `${path}.1`);
  }
}

function firstLine(lines: Buffer): number {
  return lines.indexOf(NEWLINE) + 1;
}

async function renameExisting(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}
