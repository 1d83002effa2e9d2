import { statement } from "@proj/database";
import type { PointsEvent } from "@proj/points-server";
import { expect, test } from "vitest";
import { auditAddress } from "../../src/audit/audit-address.ts";
import { PriceReader } from "../../src/prices/price-reader.ts";
import { ProgramHistory } from "../../src/program/program-history.ts";
import { ruleSetOf } from "../../src/program/rule-set.ts";
import { program } from "../snapshots/swaps.ts";
import { openLedger } from "./open-ledger.ts";
import { readRanking } from "./read-rankings.ts";

const [{ tokenX, tokenY } = { tokenX: "", tokenY: "" }] = program.swapPairs;
const time = 1_000_000;
const price = (id: string, dollars: string): PointsEvent => ({
  ...{ id, type: "price", time, token: tokenX, price: dollars, priceDecimals: 0 },
});
/** Two tokens, valued by our own prices. */
const valued: PointsEvent = {
  ...{ id: "s", type: "swap", time, address: "alice", tokenX, tokenY },
  ...{ amount: "2", amountToken: tokenX, amountDecimals: 0 },
};

/** English sorts "a" before "B"; the bytes are the other way round. */
const texts = { events: "id", prices: "token", domains: "address" };

test("in a PostgreSQL database of any locale, ids decide ties by their bytes", async () => {
  await using ledger = await openLedger("postgres");
  for (const [table, column] of Object.entries(texts)) {
    const sql = `alter table ${table} alter column ${column} type text collate "en-x-icu"`;
    await ledger.database.run(statement(sql));
  }
  await new ProgramHistory(ledger.database).put([{ valid_from: 0, rules: ruleSetOf(program) }]);
  await ledger.append([
    ...[price("B", "5"), price("a", "7"), { ...price("c", "9"), sequence: 1 }],
    { ...price("z", "1"), token: "a" } as PointsEvent,
    valued,
  ]);
  await ledger.append([{ id: "r", type: "retract", time, target: "c" }]);
  const feeds = await new PriceReader(ledger.database).feeds();
  expect(feeds[tokenX]).toMatchObject({ price: "7" });
  expect(Object.keys(feeds)).toEqual(Object.keys(feeds).toSorted());
  await ledger.snapshot(program, { time });
  expect(await readRanking(ledger.reader, "swaps")).toMatchObject([{ points: "14" }]);
  const { signal } = new AbortController();
  const audited = await auditAddress(ledger.database, "alice", signal);
  expect(audited).toMatchObject({ points: "14", swaps: [{ id: "s", points: "14" }] });
});

test("a late price changes earlier points, even if the locale skips punctuation when it sorts", async () => {
  await using ledger = await openLedger("postgres");
  // As the English locales of glibc did before version 2.28.
  for (const sql of [
    `create collation skipping (provider = icu, locale = 'en-u-ka-shifted')`,
    "alter table streams alter column key type text collate skipping",
  ])
    await ledger.database.run(statement(sql));
  const long = { time: time + 1_000_000, eventsPerBase: 0 };
  await ledger.append([{ ...price("early", "5"), time: time - 100 }, valued]);
  await ledger.snapshot(program, long);
  expect(await readRanking(ledger.reader, "swaps")).toMatchObject([{ points: "10" }]);
  expect(await ledger.count("base_blocks")).toBe(1);
  await ledger.append([{ ...price("late", "7"), time: time - 50 }]);
  await ledger.snapshot(program, { ...long, time: long.time + 60 });
  expect(await readRanking(ledger.reader, "swaps")).toMatchObject([{ points: "14" }]);
});
