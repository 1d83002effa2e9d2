import { setImmediate } from "node:timers/promises";
import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import { type PackedTexts, unpacked } from "../bytes/packed-texts.ts";
import { giveWay } from "../scheduling/give-way.ts";
import type { PointsDatabase, PointsSource } from "../storage/source.ts";
import { BlockBuffer } from "./block-buffer.ts";
import { inGroups } from "./in-groups.ts";
import { SnapshotSupersededError } from "./snapshot-superseded-error.ts";

/** Consecutive blocks of a snapshot, for one transaction. */
export interface BlockBatch {
  readonly kind: "ranking" | "standings" | "base";
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

/** How many blocks one statement inserts. */
const blocksPerInsert = 16;

const block = { block: parameter<number>("block"), entries: parameter<string>("entries") };
const snapshot = parameter<number>("snapshot");
const rows = {
  ranking_blocks: { snapshot, ranking: parameter<number>("ranking"), ...block },
  standing_blocks: { snapshot, ...block },
  base_blocks: { snapshot, part: parameter<number>("part"), ...block },
};

/** Inserts one block, or `blocksPerInsert` in one list: the columns of the key and the entries. */
const insertsInto = (table: keyof typeof rows) => {
  const insert = (count: number) =>
    query(({ db }: PointsSource) =>
      db.insertInto(table).values(new Array(count).fill(rows[table])),
    );
  return { one: insert(1), many: insert(blocksPerInsert) };
};
const inserts = {
  ranking: insertsInto("ranking_blocks"),
  standings: insertsInto("standing_blocks"),
  base: insertsInto("base_blocks"),
};
/** Changes nothing, but checks that the snapshot may be built, and locks it until the transaction ends. */
const keep = query(({ db }: PointsSource) =>
  db
    .updateTable("snapshots")
    .set({ state: "building" })
    .where("id", "=", parameter<number>("id"))
    .where("state", "=", "building"),
);

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
    const { many, one } = inserts[kind];
    // A thread receives messages only between turns of its event loop.
    await setImmediate();
    await this.#database.transaction(async (runner) => {
      const { changes } = await runner.run(keep, { id: key[0] });
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
