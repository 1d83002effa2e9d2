import { statement } from "@proj/database";
import { StoreUnavailableError } from "@proj/points-server";
import { waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { openForWriting } from "../../src/storage/open-database.ts";
import { temporaryStorage } from "./temporary-storage.ts";

test("a PostgreSQL connection cut inside a transaction fails only that call", async () => {
  await using storage = await temporaryStorage("postgres");
  const database = await openForWriting({ db_url: storage.db_url });
  const other = await openForWriting({ db_url: storage.db_url });
  const uncaught: unknown[] = [];
  const collect = (error: unknown): number => uncaught.push(error);
  process.on("uncaughtException", collect);
  try {
    const cut = database.transaction(async (runner) => {
      const { rows } = await runner.run(
        statement<{ pid: number }>("select pg_backend_pid() as pid"),
      );
      const pid = rows[0]?.pid;
      await other.run(statement(`select pg_terminate_backend(${pid})`));
      // The connection notices between two queries, while no answer is pending.
      await waitFor(async () => {
        const left = `select 1 from pg_stat_activity where pid = ${pid}`;
        return (await other.run(statement(left))).rows.length === 0;
      }, "the connection to be cut");
      await new Promise((resolve) => setImmediate(resolve));
      await runner.run(statement("select 1"));
    });
    await expect(cut).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await database.run(statement("select 1 as one"))).toMatchObject({ rows: [{ one: 1 }] });
    expect(uncaught).toEqual([]);
  } finally {
    process.off("uncaughtException", collect);
    await Promise.all([database.close(), other.close()]);
  }
});
