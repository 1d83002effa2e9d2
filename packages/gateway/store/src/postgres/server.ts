import { type QueryRunner, StoreSchemaError, statement } from "@proj/database";
import type { StoreSource } from "../dialect.ts";
import { jsonFunction, olderPostgresSource, postgresSource } from "./postgres-source.ts";

/** The oldest version that PostgreSQL's own project maintains and that this package is tested with. */
const oldestServer = 140_000;
/** The first version with `IS JSON`. */
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
 * Chooses the queries for this server.
 * @throws StoreSchemaError it is too old
 */
export async function sourceOf(runner: QueryRunner<unknown>): Promise<StoreSource> {
  const [server] = (await runner.run(readVersion)).rows;
  if (server === undefined || server.number < oldestServer) {
    throw new StoreSchemaError(
      `PostgreSQL 14 or newer is required; this server is ${server?.name}`,
    );
  }
  return server.number >= firstWithIsJson ? postgresSource : olderPostgresSource;
}

/** Works even if the user may not create functions, as long as this one exists. */
export async function makeJsonFunction(runner: QueryRunner<unknown>): Promise<void> {
  const found = await runner.run(findJsonFunction);
  if (found.rows.length === 0) await runner.run(createJsonFunction);
}
