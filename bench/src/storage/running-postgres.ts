import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { within } from "@proj/test-kit";
import { Client } from "pg";
import { firstMessage, startPinned } from "../machine/pinned-process.ts";
import { RESULTS_FOLDER } from "../results.ts";

const MAIN = fileURLToPath(import.meta.resolve("./postgres-main.ts"));
const LONGEST_START_MS = 60_000;
const LONGEST_STOP_MS = 20_000;

export interface RunningPostgres {
  /** The URL of a new, empty database. */
  readonly newDatabase: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** A separate server on the repository's own, real disk. */
export async function startPostgres(cores: string | null): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(RESULTS_FOLDER, "run-"));
  // Started as root, the server runs as another user, which must be able to reach its data.
  chmodSync(folder, 0o711);
  const started = startPinned({
    cores,
    command: process.execPath,
    args: [...process.execArgv, MAIN],
    environment: { TMPDIR: folder },
    ipc: true,
  });
  const stop = async (): Promise<void> => {
    await started.stop(LONGEST_STOP_MS);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const url = await within(firstMessage(started, urlOf), "PostgreSQL", LONGEST_START_MS);
    let databases = 0;
    return { newDatabase: () => createDatabase(url, `bench_${databases++}`), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createDatabase(server: string, name: string): Promise<string> {
  const client = new Client({ connectionString: server, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

function urlOf(message: unknown): string | undefined {
  if (typeof message !== "object" || message === null || !("url" in message)) return undefined;
  return typeof message.url === "string" ? message.url : undefined;
}
