import { randomUUID } from "node:crypto";
import { Client } from "pg";

export interface TemporaryPostgres extends AsyncDisposable {
  readonly url: string;
}

/**
 * A new, empty database on the server that `TEST_DATABASE_URL` names, which
 * `@proj/test-kit/postgres-setup` starts. It is dropped when disposed of.
 */
export async function temporaryPostgres(): Promise<TemporaryPostgres> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined)
    throw new Error("The package's vitest.config.ts lacks the set-up for PostgreSQL.");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await execute(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => execute(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
