import { startPostgresServer } from "./postgres-server.ts";

/**
 * A global set-up of Vitest: the test files of a package share one PostgreSQL server. Where
 * `TEST_DATABASE_URL` is set they take that one.
 * @returns what stops it again
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env.TEST_DATABASE_URL) return async () => {};
  const server = await startPostgresServer();
  process.env.TEST_DATABASE_URL = server.url;
  return async () => await server[Symbol.asyncDispose]();
}
