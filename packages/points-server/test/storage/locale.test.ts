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
    {
      ...{ id: "s", type: "swap", time, address: "alice", tokenX, tokenY },
      ...{ amount: "2", amountToken: tokenX, amountDecimals: 0 },
    },
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
