import { Client } from "pg";
import { expect, test } from "vitest";
import { startPostgresServer, temporaryPostgres } from "../src/postgres/postgres.ts";

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test("temporary databases are separate, and gone once disposed of", async () => {
  const first = await temporaryPostgres();
  await using second = await temporaryPostgres();
  await query(first.url, "CREATE TABLE things (id int)");
  await expect(query(second.url, "SELECT * FROM things")).rejects.toThrow("does not exist");
  await first[Symbol.asyncDispose]();
  await expect(query(first.url, "SELECT 1")).rejects.toThrow("does not exist");
});

test("a test's own server keeps its data across a stop and a start", async () => {
  await using server = await startPostgresServer();
  await query(server.url, "CREATE TABLE things AS SELECT 7 AS id");
  await server.stop();
  await expect(query(server.url, "SELECT * FROM things")).rejects.toThrow("ECONNREFUSED");
  await server.start();
  expect(await query(server.url, "SELECT * FROM things")).toEqual([{ id: 7 }]);
});
