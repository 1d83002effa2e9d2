import { setImmediate } from "node:timers/promises";
import type { PointsDatabase } from "../storage/database.ts";
import { giveWay } from "../threads/give-way.ts";
import {
  type BlockInserts,
  type BlockQueries,
  blockQueries,
  blocksPerInsert,
} from "./block-queries.ts";
import { SnapshotSupersededError } from "./snapshot-superseded-error.ts";

/** Blocks of a snapshot with numbers that follow on one another, for one transaction. */
export interface BlockBatch {
  readonly kind: keyof BlockQueries["inserts"];
  /** The id of the snapshot, and what else comes before a block's number in its key. */
  readonly key: readonly [snapshot: number, ...part: number[]];
  /** The number of the first one. */
  readonly first: number;
  readonly blocks: readonly string[];
}

/** Where the blocks of a snapshot go. */
export interface BlockSink {
  /** It may only be on its way. @throws what an earlier one could not be written for */
  write(batch: BlockBatch): Promise<void>;
  /** All that was given to it is in the database. @throws what some could not be written for */
  flush(): Promise<void>;
}

/** Writes each batch before it returns. */
export class BlockWriter implements BlockSink {
  readonly #database: PointsDatabase;
  readonly #queries: BlockQueries;

  constructor(database: PointsDatabase) {
    this.#database = database;
    this.#queries = blockQueries(database);
  }

  /** In a transaction of its own, so that nobody waits long for the lock. @throws SnapshotSupersededError */
  async write({ kind, key, first, blocks }: BlockBatch): Promise<void> {
    const rows = blocks.map((entries, index) => [...key, first + index, entries]);
    const { many, one }: BlockInserts = this.#queries.inserts[kind];
    // A thread hears of what it is asked for between its turns only.
    await setImmediate();
    await this.#database.transaction(async (runner) => {
      const { changes } = await runner.run(this.#queries.keep, { id: key[0] });
      if (changes === 0) throw new SnapshotSupersededError();
      const whole = rows.length - (rows.length % blocksPerInsert);
      for (let row = 0; row < whole; row += blocksPerInsert) {
        giveWay();
        await runner.run(many, rows.slice(row, row + blocksPerInsert).flat());
      }
      for (const row of rows.slice(whole)) await runner.run(one, row);
    });
  }

  async flush(): Promise<void> {}
}
