import { statement } from "@proj/database";
import { describe, expect, test } from "vitest";
import { BlockWriter } from "../../src/snapshots/block-writer.ts";
import { SnapshotBuild } from "../../src/snapshots/snapshot-build.ts";
import { SnapshotSupersededError } from "../../src/snapshots/snapshot-superseded-error.ts";
import { migrateStore } from "../../src/storage/migrate-store.ts";
import { openForWriting } from "../../src/storage/open-database.ts";
import { SnapshotStorage } from "../../src/threads/snapshot-storage.ts";
import { program } from "../snapshots/swaps.ts";
import { databases, temporaryStorage } from "../storage/temporary-storage.ts";

const never = new AbortController().signal;

describe.each(databases)("on %s", (name) => {
  test("after a flush, everything given to the thread is stored, and nothing that came after a newer snapshot began", async () => {
    await using storage = await temporaryStorage(name);
    const database = await openForWriting({ db_url: storage.db_url, synchronous: "normal" });
    await migrateStore(database);
    await using sink = new SnapshotStorage({
      storage: { db_url: storage.db_url },
      program,
      jobNiceness: 0,
    });
    const build = await SnapshotBuild.begin(
      database,
      sink,
      { time: 2_000, season: "", rules: "" },
      never,
    );
    const write = async (first: number, count: number): Promise<void> => {
      const buffer = await sink.takeBuffer();
      for (let block = first; block < first + count; block += 1) buffer.add(`block ${block}`);
      await sink.write({ kind: "ranking", key: [build.id, 1], first, blocks: buffer.blocks });
    };
    for (let batch = 0; batch < 6; batch += 1) await write(20 * batch, 20);
    await sink.flush();
    const blocks = statement<{ block: number; entries: string }>(
      "select block, entries from ranking_blocks order by block",
    );
    const read = () => database.run(blocks);
    const { rows } = await read();
    expect(rows).toEqual(
      Array.from({ length: 120 }, (_, block) => ({ block, entries: `block ${block}` })),
    );

    // Another snapshot supersedes it.
    await SnapshotBuild.begin(
      database,
      new BlockWriter(database),
      { time: 3_000, season: "", rules: "" },
      never,
    );
    await write(120, 1);
    await expect(sink.flush()).rejects.toBeInstanceOf(SnapshotSupersededError);
    expect((await read()).rows).toHaveLength(120);
    await database.close();
  });
});
