import { setImmediate } from "node:timers/promises";
import { type PackedTexts, unpacked } from "../bytes/packed-texts.ts";
import { giveWay } from "../scheduling/give-way.ts";
import type { PointsDatabase } from "../storage/source.ts";
import { BlockBuffer } from "./block-buffer.ts";
import {
  type BlockInserts,
  type BlockQueries,
  blockQueries,
  blocksPerInsert,
} from "./block-queries.ts";
import { inGroups } from "./in-groups.ts";
import { SnapshotSupersededError } from "./snapshot-superseded-error.ts";

/** Consecutive blocks of a snapshot, for one transaction. */
export interface BlockBatch {
  readonly kind: keyof BlockQueries["inserts"];
  /** The snapshot's id and the rest of the key before a block's number. */
  readonly key: readonly [snapshot: number, ...part: number[]];
  /** The first block's number. */
  readonly first: number;
  readonly blocks: PackedTexts;
}

/** Takes the blocks of a snapshot. */
export interface BlockSink {
  /** An empty buffer to fill and write. @throws the error of an earlier write */
  takeBuffer(): Promise<BlockBuffer>;
  /** Writes the buffer taken last; may return before it is written. */
  write(batch: BlockBatch): Promise<void>;
  /** Resolves once everything is in the database. @throws the error of a write that failed */
  flush(): Promise<void>;
}

/** Writes each batch before it returns. */
export class BlockWriter implements BlockSink {
  readonly #database: PointsDatabase;
  #buffer: BlockBuffer | undefined;

  constructor(database: PointsDatabase) {
    this.#database = database;
  }

  async takeBuffer(): Promise<BlockBuffer> {
    this.#buffer ??= new BlockBuffer();
    this.#buffer.empty();
    return this.#buffer;
  }

  /** Writes in a short transaction, so that nothing waits long for the lock. @throws SnapshotSupersededError */
  async write({ kind, key, first, blocks }: BlockBatch): Promise<void> {
    const { many, one }: BlockInserts = blockQueries.inserts[kind];
    // A thread receives messages only between turns of its event loop.
    await setImmediate();
    await this.#database.transaction(async (runner) => {
      const { changes } = await runner.run(blockQueries.keep, { id: key[0] });
      if (changes === 0) throw new SnapshotSupersededError();
      let next = first;
      for (const group of inGroups(unpacked(blocks), blocksPerInsert)) {
        giveWay();
        const rows = group.map((entries, index) => [...key, next + index, entries]);
        next += rows.length;
        if (rows.length === blocksPerInsert) await runner.run(many, rows.flat());
        else for (const row of rows) await runner.run(one, row);
      }
    });
  }

  async flush(): Promise<void> {}
}
