import { expect, test } from "vitest";
import { monotonicMs } from "../../src/clock.ts";
import { WriteTransaction } from "../../src/sqlite/write-transaction.ts";
import { connectTo, newStop, openWriter, temporaryFile } from "../temporary-file.ts";

async function openTransaction() {
  const file = await temporaryFile();
  const connection = openWriter(file);
  const { database } = connection;
  database.exec("create table number (value)");
  const transaction = new WriteTransaction(connection, 1000, newStop());
  const insert = () => database.exec("insert into number values (1)");
  return { file, database, transaction, insert };
}

test("the lock stays free for half as long as it was held, at most a millisecond", async () => {
  const { transaction, insert } = await openTransaction();
  for (const heldMs of [0.2, 1, 10]) {
    let endsAt = 0;
    transaction.run(Infinity, () => {
      insert();
      endsAt = performance.now() + heldMs;
      while (performance.now() < endsAt);
    });
    transaction.run(Infinity, () => {
      expect(performance.now() - endsAt).toBeGreaterThanOrEqual(Math.min(heldMs / 2, 1));
    });
  }
});

test("the lock is taken at the start", async () => {
  const { transaction, file } = await openTransaction();
  const other = connectTo(file);
  transaction.run(Infinity, () => {
    expect(() => other.exec("begin immediate")).toThrow(/locked/);
  });
  other.exec("begin immediate");
});

test("work that ends after its deadline is undone", async () => {
  const { transaction, database, insert } = await openTransaction();
  const deadline = monotonicMs() + 20;
  const late = () =>
    transaction.run(deadline, () => {
      insert();
      while (monotonicMs() <= deadline);
    });
  expect(late).toThrow(/before their deadline/);
  expect(database.prepare("select count(*) from number").pluck().get()).toBe(0);
});

test("work that fails is undone, and the next transaction starts clean", async () => {
  const { transaction, database, insert } = await openTransaction();
  const failing = () =>
    transaction.run(Infinity, () => {
      insert();
      throw new Error("no more");
    });
  expect(failing).toThrow("no more");
  transaction.run(Infinity, insert);
  expect(database.prepare("select count(*) from number").pluck().get()).toBe(1);
});
