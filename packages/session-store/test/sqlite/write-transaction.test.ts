import { expect, test } from "vitest";
import { openWriterConnection } from "../../src/sqlite/connection.ts";
import { WriteTransaction } from "../../src/sqlite/write-transaction.ts";
import { connectTo, temporaryFile } from "../temporary-database.ts";

async function openTransaction() {
  const file = await temporaryFile();
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const database = openWriterConnection(file, "full", Date.now() + 1000, stop);
  database.exec("create table number (value)");
  const transaction = new WriteTransaction(database, 1000, stop);
  const insert = () => database.exec("insert into number values (1)");
  return { file, database, transaction, insert };
}

test("the lock is free for a millisecond between two transactions", async () => {
  const { transaction, insert } = await openTransaction();
  transaction.run(Infinity, insert);
  const ended = performance.now();
  for (const free of [1, 2, 3]) {
    transaction.run(Infinity, () => {
      expect(performance.now() - ended).toBeGreaterThan(free - 0.2);
    });
  }
});

test("the lock is had from the start", async () => {
  const { transaction, file } = await openTransaction();
  const other = connectTo(file);
  other.pragma("busy_timeout = 0");
  transaction.run(Infinity, () => {
    expect(() => other.exec("begin immediate")).toThrow(/locked/);
  });
  other.exec("begin immediate");
});

test("work that is done after its deadline is undone", async () => {
  const { transaction, database, insert } = await openTransaction();
  const deadline = Date.now() + 20;
  const late = () =>
    transaction.run(deadline, () => {
      insert();
      while (Date.now() <= deadline);
    });
  expect(late).toThrow(/before their deadline/);
  expect(database.prepare("select count(*) from number").pluck().get()).toBe(0);
});

test("work that fails is undone, and the next transaction begins anew", async () => {
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
