import { ConnectionPool } from "@proj/database/postgres";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { databaseOf } from "../../src/postgres/connect.ts";
import { olderPostgresSource, postgresSource } from "../../src/postgres/postgres-source.ts";
import { makeJsonFunction } from "../../src/postgres/server.ts";

const texts = [
  '{"status_code":200}',
  '{"status_code":200.5,"prompt_tokens":"7"}',
  '{"status_code":"200"}',
  '{"status_code":null}',
  '{"other":{"status_code":200}}',
  '{"status_code":200,"text":"\\u0000"}',
  "[200]",
  "200",
  '"status_code"',
  '{"status_code":200',
  "",
];

test("a server without IS JSON reads the same numbers from meta_json", async () => {
  const database = await temporaryPostgres();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const options = { db_url: database.url };
  const store = databaseOf(new ConnectionPool(options, "test"), olderPostgresSource, options);
  onTestFinished(() => store.close());
  await makeJsonFunction(store);
  await client.query("create table rows (id serial, meta_json text)");
  for (const text of texts) await client.query("insert into rows (meta_json) values ($1)", [text]);
  const read = async ({ db, dialect }: typeof postgresSource): Promise<unknown[]> => {
    const number = dialect.metaNumber("status_code").compile(db);
    const { rows } = await client.query(`select ${number.sql} as number from rows order by id`);
    return rows.map((row) => row.number);
  };
  expect(await read(olderPostgresSource)).toEqual(
    texts.map((_, index) => [200, 200.5, null, null, null, 200][index] ?? null),
  );
  const { rows } = await client.query(
    "select current_setting('server_version_num')::int as number",
  );
  if (rows[0]?.number < 160_000) return;
  expect(await read(postgresSource)).toEqual(await read(olderPostgresSource));
});
