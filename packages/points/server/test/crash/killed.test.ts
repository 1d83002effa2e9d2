import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { statement } from "@proj/database";
import { openPointsStore, type PointsStore } from "@proj/points-server";
import { type RunningProcess, startProcess, temporaryFolder, waitFor } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { openForWriting } from "../../src/storage/open-database.ts";
import { program, swap, swapsOf } from "../snapshots/swaps.ts";
import { type DatabaseName, databases, temporaryStorage } from "../storage/temporary-storage.ts";

const script = fileURLToPath(new URL("points-program.ts", import.meta.url));

const start = (db_url: string, ...args: string[]): RunningProcess =>
  startProcess([script, db_url, ...args]);

async function kill(killed: RunningProcess): Promise<void> {
  killed.kill("SIGKILL");
  expect(await killed.exit()).toMatchObject({ signal: "SIGKILL" });
}

/** The last number that the process printed on a complete line. */
const said = (told: RunningProcess, pattern: RegExp): number =>
  Number([...told.stdout.matchAll(pattern)].at(-1)?.[1] ?? 0);

const open = (db_url: string): Promise<PointsStore> =>
  openPointsStore({ db_url, program, synchronous: "normal", jobNiceness: 0 });

/** Points by address in the newest snapshot. */
async function readPoints(store: PointsStore): Promise<Map<string, number>> {
  const points = new Map<string, number>();
  for (let offset = 0; ; offset += 1000) {
    const query = { ranking: "swaps", address: null, offset, size: 1000 } as const;
    const { leaderboard } = JSON.parse((await store.readPage(query)).body.toString());
    for (const { address, points: own } of leaderboard) points.set(address, Number(own));
    if (leaderboard.length < 1000) return points;
  }
}

/** The content of the tables, read over another connection. */
async function watch(
  db_url: string,
): Promise<AsyncDisposable & { has(rows: string): Promise<boolean> }> {
  const database = await openForWriting({ db_url, synchronous: "normal" });
  return {
    has: async (rows) => {
      const sql = `select 1 as found from ${rows} limit 1`;
      return (await database.run(statement(sql))).rows.length > 0;
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

const building = "snapshots where state = 'building'";
const unpublished = "(select id from snapshots where state = 'building')";

describe.each(databases)("on %s", (database: DatabaseName) => {
  test("killed during an import: the reported events are stored, and importing the file again counts once", async () => {
    await using storage = await temporaryStorage(database);
    await using folder = await temporaryFolder();
    const events = Array.from({ length: 110_000 }, (_, index) =>
      swap(`e${index}`, `a${index % 100}`, 1),
    );
    const file = join(folder.path, "events.jsonl");
    await writeFile(file, events.map((event) => JSON.stringify(event)).join("\n"));
    await using importing = start(storage.db_url, "import", file);
    // It continues with the next batch, and is killed in it.
    await importing.line(/^durable [1-9]/);
    await kill(importing);
    const durable = said(importing, /durable (\d+)\n/g);
    expect(durable).toBeGreaterThan(0);
    expect(durable).toBeLessThan(events.length);

    const store = await open(storage.db_url);
    try {
      const { stored, repeated } = await store.importFile(file);
      expect(repeated).toBeGreaterThanOrEqual(durable);
      expect(stored + repeated).toBe(events.length);
      await store.buildSnapshot();
      const points = await readPoints(store);
      expect(points.size).toBe(100);
      expect(new Set(points.values())).toEqual(new Set([1_100]));
    } finally {
      await store.close();
    }
  });

  test("killed again and again during ingestion: each acknowledged event is stored, once", async () => {
    await using storage = await temporaryStorage(database);
    const lives: { name: string; acknowledged: number }[] = [];
    for (let life = 0; life < 3; life += 1) {
      const name = `life-${life}`;
      await using ingesting = start(storage.db_url, "ingest", name);
      await ingesting.line(new RegExp(`^durable ${3 + 7 * life}$`));
      await kill(ingesting);
      lives.push({ name, acknowledged: said(ingesting, /durable (\d+)\n/g) });
    }
    const store = await open(storage.db_url);
    try {
      let all = 0;
      for (const { name, acknowledged } of lives) {
        const turn = (number: number) =>
          [0, 1, 2].map((index) => swap(`${name}-${number}-${index}`, `a${index}`, 1));
        const told = Array.from({ length: acknowledged }, (_, number) => turn(number)).flat();
        expect(await store.ingest(told)).toMatchObject({ stored: 0, repeated: told.length });
        // The batch in progress when it was killed is stored as a whole or not at all.
        const last = await store.ingest(turn(acknowledged));
        expect([0, 3]).toContain(last.stored);
        all += acknowledged + 1;
      }
      await store.buildSnapshot();
      expect([...(await readPoints(store)).values()].slice(0, 3)).toEqual([all, all, all]);
    } finally {
      await store.close();
    }
  });

  test.each([
    ["as it begins", building],
    ["in the rankings", `ranking_blocks where snapshot in ${unpublished}`],
    ["in the standings", `standing_blocks where snapshot in ${unpublished}`],
  ])(
    "killed during a snapshot, %s: the previous one is still read, and the next one is correct",
    async (_when, rows) => {
      await using storage = await temporaryStorage(database);
      const events = swapsOf(9_000);
      const store = await open(storage.db_url);
      try {
        await store.ingest(events);
        const before = await store.buildSnapshot();
        const expected = await readPoints(store);
        await using watching = await watch(storage.db_url);
        await using dying = start(storage.db_url, "snapshot");
        await dying.line(/^building/);
        await waitFor(() => watching.has(rows), rows);
        await kill(dying);

        const live = await store.readSnapshot();
        const built = [...dying.stdout.matchAll(/built (\S+)\n/g)].map(([, id]) => id);
        // It may have been published without being reported, but not the other way round.
        expect(Number.parseInt(live?.id ?? "0", 10)).toBeGreaterThanOrEqual(
          Number.parseInt(built.at(-1) ?? before.id, 10),
        );
        expect(await readPoints(store)).toEqual(expected);
        await store.ingest([swap("more", "a1", 1_000_000)]);
        const next = await store.buildSnapshot();
        expect((await store.readSnapshot())?.id).toBe(next.id);
        const after = await readPoints(store);
        expect(after.get("a1")).toBe((expected.get("a1") ?? 0) + 1_000_000);
        expect(after.size).toBe(expected.size);
        expect(await watching.has(building)).toBe(false);
        expect(
          await watching.has("ranking_blocks where snapshot not in (select id from snapshots)"),
        ).toBe(false);
      } finally {
        await store.close();
      }
    },
  );
});
