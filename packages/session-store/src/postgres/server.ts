import { type QueryRunner, StoreSchemaError, statement } from "@proj/database";
import type { StoreSource } from "../dialect.ts";
import { jsonFunction, olderPostgresSource, postgresSource } from "./postgres-source.ts";

/** All versions that PostgreSQL's own project still maintains, and that this package is tested with. */
const oldestServer = 140_000;
/** `IS JSON` came with it. */
const firstWithIsJson = 160_000;

const readVersion = statement<{ readonly number: number; readonly name: string }>(
  "select current_setting('server_version_num')::int as number, current_setting('server_version') as name",
);
const findJsonFunction = statement(
  `select 1 where to_regprocedure('${jsonFunction}(text)') is not null`,
);
const createJsonFunction =
  statement(`create or replace function ${jsonFunction}(value text) returns json
  language plpgsql immutable strict as $$ begin return value::json; exception when others then return null; end $$`);

/**
 * What queries are built from for this server.
 * @throws StoreSchemaError it is too old
 */
export async function sourceOf(runner: QueryRunner<unknown>): Promise<StoreSource> {
  const [server] = (await runner.run(readVersion)).rows;
  if (server === undefined || server.number < oldestServer) {
    throw new StoreSchemaError(`PostgreSQL 14 or newer is needed, and this is ${server?.name}`);
  }
  return server.number >= firstWithIsJson ? postgresSource : olderPostgresSource;
}

/** Also where the user may create nothing, as long as it is there. */
export async function makeJsonFunction(runner: QueryRunner<unknown>): Promise<void> {
  const found = await runner.run(findJsonFunction);
  if (found.rows.length === 0) await runner.run(createJsonFunction);
}
