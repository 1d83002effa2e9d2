/** A child process of the bench: PostgreSQL on the cores that the child is pinned to, with commits synced to disk. */
import { startPostgresServer } from "@proj/test-kit/postgres";

const server = await startPostgresServer({ fsync: true, maxConnections: 200 });
const end = async (): Promise<void> => {
  await server[Symbol.asyncDispose]();
  process.exit();
};
process.once("SIGTERM", end).once("disconnect", end);
process.send?.({ url: server.url });
