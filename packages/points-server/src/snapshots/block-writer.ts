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

/** Blocks of a snapshot with numbers that follow on one another, for one transaction. */
export interface BlockBatch {
  readonly kind: keyof BlockQueries["inserts"];
  /** The id of the snapshot, and what else comes before a block's number in its key. */
  readonly key: readonly [snapshot: number, ...part: number[]];
  /** The number of the first one. */
  readonly first: number;
  readonly blocks: PackedTexts;
}

/** Where the blocks of a snapshot go. */
export interface BlockSink {
  /** An empty one, to be filled and written. @throws what an earlier one could not be written for */
  takeBuffer(): Promise<BlockBuffer>;
  /** What was taken last; it may only be on its way. */
  write(batch: BlockBatch): Promise<void>;
  /** All that was given to it is in the database. @throws what some could not be written for */
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

  /** In a transaction of its own, so that nobody waits long for the lock. @throws SnapshotSupersededError */
  async write({ kind, key, first, blocks }: BlockBatch): Promise<void> {
    const { many, one }: BlockInserts = blockQueries.inserts[kind];
    // A thread hears of what it is asked for between its turns only.
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
