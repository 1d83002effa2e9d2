import { statement } from "@proj/database";
import { describe, expect, test } from "vitest";
import { PriceReader } from "../../src/prices/price-reader.ts";
import { openLedger } from "../storage/open-ledger.ts";
import { databases } from "../storage/temporary-storage.ts";

const many = `with recursive numbers(number) as
  (select 1 union all select number + 1 from numbers where number < 150000)
  insert into prices (token, price, price_decimals, time, event_id)
  select 'token-' || number, '125', 2, number, 'event-' || number from numbers`;

describe.each(databases)("on %s", (database) => {
  test("reads 150,000 prices, and a named one without the others", async () => {
    await using ledger = await openLedger(database);
    await ledger.database.run(statement(many));
    const read: string[] = [];
    const watched = Object.create(ledger.database, {
      run: {
        value: (asked: never, values: never) => {
          read.push(JSON.stringify(values));
          return ledger.database.run(asked, values);
        },
      },
    });
    const prices = new PriceReader(watched);
    const all = await prices.prices(undefined);
    expect(Object.keys(all.data)).toHaveLength(150_000);
    expect(all.lastUpdateTimestamp).toBe(150_000);
    // While nothing is stored, neither form reads them again.
    read.length = 0;
    expect(await prices.prices(undefined)).toBe(all);
    expect(await prices.feeds()).toBe(await prices.feeds());
    expect(read).toEqual([undefined, undefined, undefined]);
    await ledger.append([
      { id: "p", type: "price", time: 1, token: "new", price: "3", priceDecimals: 0 },
    ]);
    expect((await prices.prices(undefined)).data).toMatchObject({ new: { price: 3 } });
    await ledger.append([{ id: "r", type: "retract", time: 1, target: "p" }]);
    expect((await prices.prices(undefined)).data).not.toHaveProperty("new");
    read.length = 0;
    expect(await prices.prices(["token-7", "token-9", "token-7", "unknown"])).toEqual({
      data: { "token-7": { price: 1.25 }, "token-9": { price: 1.25 } },
      lastUpdateTimestamp: 9,
    });
    expect(read).toEqual(
      ["token-7", "token-9", "unknown"].map((token) => JSON.stringify({ token })),
    );
  });
});
