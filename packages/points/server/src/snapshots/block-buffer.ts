import type { PackedTexts } from "../bytes/packed-texts.ts";

/** Size of one batch: what a transaction writes while others wait for the lock. */
const usualBytes = 4 * 1024 * 1024;

/**
 * Takes blocks until it is full, and can be emptied and filled again: first touching fresh memory costs as much as
 * filling it. Threads share it.
 */
export class BlockBuffer {
  #bytes: Buffer = sharedMemory(usualBytes);
  #ends: number[] = [];
  #size = 0;

  /** False: it is full, and the block was not added. An empty buffer takes a block of any size. */
  add(block: string | Uint8Array): boolean {
    // A UTF-16 code unit takes up to three bytes.
    const most = typeof block === "string" ? 3 * block.length : block.length;
    if (this.#size + most > this.#bytes.length) {
      if (this.#size > 0) return false;
      this.#bytes = sharedMemory(most);
    }
    if (typeof block === "string") this.#size += this.#bytes.write(block, this.#size, "utf8");
    else {
      this.#bytes.set(block, this.#size);
      this.#size += block.length;
    }
    this.#ends.push(this.#size);
    return true;
  }

  /** Valid until the buffer is emptied. */
  get blocks(): PackedTexts {
    return { bytes: this.#bytes, ends: this.#ends };
  }

  empty(): void {
    this.#ends = [];
    this.#size = 0;
  }
}

const sharedMemory = (size: number): Buffer => Buffer.from(new SharedArrayBuffer(size));
