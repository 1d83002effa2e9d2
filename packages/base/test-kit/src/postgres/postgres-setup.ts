import { startPostgresServer } from "./postgres-server.ts";

/**
 * A global set-up for Vitest: the test files of a package share one PostgreSQL server. If
 * `TEST_DATABASE_URL` is set, they use that server.
 * @returns a function that stops the server
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env.TEST_DATABASE_URL) return async () => {};
  const server = await startPostgresServer();
  process.env.TEST_DATABASE_URL = server.url;
  return async () => await server[Symbol.asyncDispose]();
}
