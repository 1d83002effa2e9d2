import type { BlockBatch, BlockSink } from "../snapshots/block-writer.ts";
import { PointsThread } from "./points-thread.ts";
import type { ThreadData } from "./thread-calls.ts";

/** Batches that are being written or wait for it. */
const batchesAtOnce = 3;

/**
 * Writes blocks on a thread of its own, while the next ones are being made: to write them takes a quarter of
 * what it takes to build a snapshot.
 */
export class BlockThread implements BlockSink, AsyncDisposable {
  readonly #data: ThreadData;
  readonly #writing: Promise<unknown>[] = [];
  /** Not before there is something to write. */
  #thread: PointsThread | null = null;

  constructor(data: Omit<ThreadData, "role">) {
    this.#data = { ...data, role: "blocks" };
  }

  async write(batch: BlockBatch): Promise<void> {
    this.#thread ??= new PointsThread(this.#data);
    const writing = this.#thread.call("writeBlocks", batch);
    // Whoever waits for it next hears of it.
    writing.catch(() => {});
    this.#writing.push(writing);
    if (this.#writing.length >= batchesAtOnce) await this.#writing.shift();
  }

  async flush(): Promise<void> {
    for (const writing of this.#writing.splice(0)) await writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.end();
  }
}
