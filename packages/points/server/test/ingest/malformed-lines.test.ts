import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { swap } from "../snapshots/swaps.ts";
import { databases } from "../storage/temporary-storage.ts";
import { counts, type ImportingStore, importingStore, pool } from "./importing-store.ts";

const good = swap("good", "alice", 5);
const position = {
  ...{ id: "p", type: "position_opened", time: 5, address: "a" },
  ...{ pool, position: "1", liquidity: "1" },
};
const price = { id: "c", type: "price", time: 5, token: "X", price: "1", priceDecimals: 2 };
const domain = { id: "d", type: "domain", time: 5, address: "a", domain: "a.example" };
const far = Math.floor(Date.now() / 1_000) + 86_400;

const malformed: readonly (readonly [string, string | object, RegExp])[] = [
  ["no JSON", "{]", /not valid JSON/],
  ["half a line", JSON.stringify(good).slice(0, -5), /not valid JSON/],
  ["a list", [good], /an event must be an object/],
  ["null", "null", /an event must be an object, found null/],
  ["too long", { ...good, more: "x".repeat(1_100_000) }, /longer than 1048576 characters/],
  ["no id", { ...good, id: undefined }, /id is missing/],
  ["an empty id", { ...good, id: "" }, /id must be/],
  ["an id that is too long", { ...good, id: "x".repeat(201) }, /id must be/],
  ["an id with a control character", { ...good, id: "a\u0000" }, /id must be/],
  ["an id that is a number", { ...good, id: 7 }, /id must be a string/],
  ["no type", { ...good, type: undefined }, /type is missing/],
  ["another type", { ...good, type: "swop" }, /type must be swap,/],
  ["no time", { ...good, time: undefined }, /time is missing/],
  ["a time that is text", { ...good, time: "1000" }, /time must be Unix seconds/],
  ["a fractional time", { ...good, time: 1.5 }, /time must be Unix seconds/],
  ["a negative time", { ...good, time: -1 }, /time must be Unix seconds/],
  ["a time in the future", { ...good, time: far }, /in the future/],
  ["no address", { ...good, address: undefined }, /address is missing/],
  ["a malformed address", { ...good, address: "a b" }, /address must be an address/],
  ["the address null", { ...good, address: "null" }, /address must be an address/],
  ["an address that is too long", { ...good, address: "a".repeat(129) }, /address must be/],
  ["a malformed token", { ...good, tokenX: "ü" }, /tokenX must be/],
  ["no amount", { ...good, usdValue: undefined }, /usdValue is missing/],
  ["a negative amount", { ...good, usdValue: "-1" }, /usdValue must be/],
  ["a fractional amount", { ...good, usdValue: "1.5" }, /usdValue must be/],
  ["an amount that is a number", { ...good, usdValue: 5 }, /usdValue must be a string/],
  ["an amount above 2^128 - 1", { ...good, usdValue: String(2n ** 128n) }, /usdValue must be/],
  ["an amount with a leading zero", { ...good, usdValue: "05" }, /usdValue must be/],
  ["a hexadecimal amount", { ...good, usdValue: "0x5" }, /usdValue must be/],
  ["a pool that is not an address", { ...position, pool: "a b" }, /pool must be 1 to 128/],
  ["a sequence that is not a number", { ...good, sequence: -1 }, /sequence must be a whole number/],
  [
    "a retraction of itself",
    { id: "r", type: "retract", time: 5, target: "r" },
    /target must not be/,
  ],
  ["no position", { ...position, position: undefined }, /position is missing/],
  ["no liquidity", { ...position, liquidity: undefined }, /liquidity is missing/],
  ["too many decimals", { ...price, priceDecimals: 39 }, /priceDecimals must be/],
  ["decimals that are text", { ...price, priceDecimals: "2" }, /priceDecimals must be/],
  ["a domain that is too long", { ...domain, domain: "x".repeat(254) }, /domain must be/],
];

/** The cases about values, not about lines. */
const values = malformed.filter(
  ([what, line]) => typeof line === "object" && !Array.isArray(line) && what !== "too long",
);

describe.each(databases)("on %s", (database) => {
  let importing: ImportingStore;
  beforeAll(async () => {
    importing = await importingStore(database);
  });
  afterAll(() => importing?.[Symbol.asyncDispose]());

  test("every malformed line is reported by number, and the lines between are imported", async () => {
    const lines = malformed.flatMap(([, line], index) => [line, swap(`ok-${index}`, "bob", 1)]);
    const file = await importing.file("all.jsonl", lines);
    const report = await importing.store.importFile(file, { onError: "skip" });
    expect(report.errors.map(({ line }) => line)).toEqual(
      malformed.map((_, index) => 2 * index + 1),
    );
    for (const [index, [what, , message]] of malformed.entries()) {
      expect(report.errors[index]?.message, what).toMatch(message);
    }
    const { length } = malformed;
    expect(counts(report)).toEqual({
      lines: 2 * length,
      stored: length,
      repeated: 0,
      refused: length,
    });
  });

  test.each(values)("%s: refuses the whole list", async (what, line, message) => {
    const before = swap(`before ${what}`, "carol", 1);
    // As it arrives over HTTP: JSON drops undefined members.
    const event: unknown = JSON.parse(JSON.stringify(line));
    await expect(importing.store.ingest([before, event])).rejects.toMatchObject({
      name: "ImportError",
      report: {
        lines: 2,
        stored: 0,
        refused: 1,
        errors: [{ line: 2, message: expect.stringMatching(message) }],
      },
    });
    expect(await importing.store.ingest([before])).toMatchObject({ stored: 1, repeated: 0 });
  });

  test("valid events of every type are accepted, with unknown members", async () => {
    const closed = { ...position, id: "q", type: "position_closed", liquidity: undefined };
    const events = [{ ...good, more: 1 }, position, closed, price, domain];
    expect(await importing.store.ingest(events)).toMatchObject({ lines: 5, stored: 5, refused: 0 });
  });

  test("more than 10,000 events at once are refused", async () => {
    const many = new Array(10_001).fill(good);
    await expect(importing.store.ingest(many)).rejects.toBeInstanceOf(RangeError);
  });
});
