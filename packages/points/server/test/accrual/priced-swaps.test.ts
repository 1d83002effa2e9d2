import type { PointsEvent, Program } from "@proj/points-server";
import { describe, expect, test } from "vitest";
import { auditAddress } from "../../src/audit/audit-address.ts";
import { ProgramHistory } from "../../src/program/program-history.ts";
import { ruleSetOf } from "../../src/program/rule-set.ts";
import { importingStore } from "../ingest/importing-store.ts";
import { program } from "../snapshots/swaps.ts";
import { type OpenLedger, openLedger } from "../storage/open-ledger.ts";
import { readRanking } from "../storage/read-rankings.ts";
import { databases } from "../storage/temporary-storage.ts";

const start = 1_000_000;
const [{ tokenX, tokenY } = { tokenX: "", tokenY: "" }] = program.swapPairs;

/** Thousandths of tokenX, for an amount of tokenY without a value. */
const swap = (id: string, time: number, amount: number, token = tokenX): PointsEvent => ({
  ...{ id, type: "swap", time, address: "alice", tokenX, tokenY },
  ...{ amount: String(amount), amountToken: token, amountDecimals: 3 },
});

/** In hundredths of a dollar. */
const price = (id: string, time: number, cents: number, token = tokenX): PointsEvent => ({
  ...{ id, type: "price", time, token, price: String(cents), priceDecimals: 2 },
});

async function pointsAt(ledger: OpenLedger, time: number, own: Program = program) {
  await ledger.snapshot(own, { time, eventsPerBase: 0 });
  return (await readRanking(ledger.reader, "swaps"))[0];
}

describe.each(databases)("on %s", (database) => {
  test("a swap without a value is valued by our last price up to its time", async () => {
    await using ledger = await openLedger(database);
    await ledger.append([
      price("p1", start, 150),
      swap("s1", start, 2_000),
      swap("s2", start + 59, 1_000),
      price("p2", start + 60, 400),
      swap("s3", start + 60, 500),
      price("other", start, 900, tokenY),
      swap("s4", start + 60, 1_000, tokenY),
    ]);
    // 2 × 1.50 + 1 × 1.50 + 0.5 × 4 + 1 × 9 dollars.
    expect(await pointsAt(ledger, start + 60)).toMatchObject({ points: "15", swaps: 4 });
  });

  test("a swap without a price, or with only an old one, earns nothing until a price arrives", async () => {
    await using ledger = await openLedger(database);
    const strict = { ...program, swapPriceMaxAge: 30 };
    await ledger.append([swap("s1", start, 1_000), price("p1", start + 1, 500)]);
    expect(await pointsAt(ledger, start + 100, strict)).toMatchObject({ points: "0", swaps: 1 });
    await ledger.append([price("p0", start - 31, 700)]);
    expect(await pointsAt(ledger, start + 101, strict)).toMatchObject({ points: "0" });
    await ledger.append([price("late", start - 30, 300)]);
    expect(await pointsAt(ledger, start + 102, strict)).toMatchObject({ points: "3" });
  });

  test("a price that arrives days late, or is retracted, changes what swaps of its time earned", async () => {
    await using ledger = await openLedger(database);
    const now = start + 10 * 86_400;
    await ledger.append([price("p1", start, 100), swap("s1", start + 5, 1_000)]);
    expect(await pointsAt(ledger, now)).toMatchObject({ points: "1" });
    await ledger.append([price("p2", start + 4, 800)]);
    expect(await pointsAt(ledger, now + 60)).toMatchObject({ points: "8" });
    await ledger.append([{ id: "r", type: "retract", time: now, target: "p2" }]);
    expect(await pointsAt(ledger, now + 120)).toMatchObject({ points: "1" });
  });

  test("swaps after a base are valued by prices before it", async () => {
    await using ledger = await openLedger(database);
    await ledger.append([price("p1", start, 100), swap("s1", start, 1_000)]);
    await pointsAt(ledger, start + 86_400);
    await ledger.append([swap("s2", start + 10, 1_000)]);
    expect(await pointsAt(ledger, start + 2 * 86_400)).toMatchObject({ points: "2" });
  });

  test("the audit shows the value of each swap", async () => {
    await using ledger = await openLedger(database);
    await new ProgramHistory(ledger.database).put([{ valid_from: 0, rules: ruleSetOf(program) }]);
    await ledger.append([
      price("p1", start, 150),
      swap("s1", start, 2_000),
      swap("s0", start - 1, 2_000),
    ]);
    await pointsAt(ledger, start);
    const { signal } = new AbortController();
    const { swaps } = await auditAddress(ledger.database, "alice", signal);
    expect(swaps).toMatchObject([
      { id: "s0", usd_value: null, points: "0" },
      { id: "s1", usd_value: "3000000", points: "3" },
    ]);
  });
});

test("a swap has a value, or an amount of one of its tokens", async () => {
  await using importing = await importingStore("sqlite");
  const about: Readonly<Record<string, unknown>> = { ...swap("1", start, 5) };
  const errorOf = async (event: object) =>
    (await importing.store.ingest([event]).catch((error: Error) => error)) as Error;
  const { amount, amountToken, amountDecimals, ...bare } = about;
  expect((await errorOf(bare)).message).toMatch(/usdValue is missing.*amount/);
  expect((await errorOf({ ...about, amountToken: "else" })).message).toMatch(
    /amountToken must be tokenX or tokenY/,
  );
  expect((await errorOf({ ...about, amountDecimals: 39 })).message).toMatch(
    /amountDecimals must be/,
  );
  expect((await errorOf({ ...about, amount: "-1" })).message).toMatch(/amount must be/);
  const file = await importing.file("priced.csv", [
    "id,type,time,address,tokenX,tokenY,amount,amountToken,amountDecimals",
    `9,swap,${start},alice,${tokenX},${tokenY},${amount},${amountToken},${amountDecimals}`,
  ]);
  expect(await importing.store.importFile(file)).toMatchObject({ stored: 1 });
});
