import { spawn, spawnSync } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort, isLeftOut, temporaryFolder, waitFor } from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openJobStore } from "../../src/open-job-store.ts";
import { openStore } from "../../src/open-store.ts";
import { newSession, soon } from "../temporary-database.ts";
import { simulations } from "../temporary-jobs.ts";

const isSkipped = isLeftOut(
  "the store through PgBouncer",
  spawnSync("pgbouncer", ["--version"]).status === 0,
  "on Debian: apt-get install pgbouncer",
);

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

/**
 * Starts PgBouncer with nothing configured but its address and its users. Returns the URL of the database behind it.
 */
async function startPgBouncer(db_url: string): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  // Started as root, it becomes another user, which has to read its files.
  await chmod(folder.path, 0o755);
  const { hostname, port, username, password, pathname } = new URL(db_url);
  const listen_port = await freePort();
  const file = (name: string): string => join(folder.path, name);
  await writeFile(file("users.txt"), `"${username}" "${password}"\n`);
  await writeFile(
    file("pgbouncer.ini"),
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen_port}
unix_socket_dir =
auth_type = plain
auth_file = ${file("users.txt")}
`,
  );
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const program = spawn("pgbouncer", [...user, file("pgbouncer.ini")], { stdio: "ignore" });
  onTestFinished(() => void program.kill("SIGKILL"));
  await waitFor(() => canConnect(listen_port), "PgBouncer to listen");
  return `postgres://${username}:${password}@127.0.0.1:${listen_port}${pathname}`;
}

test.skipIf(isSkipped)(
  "gateways and launchers work through PgBouncer with its default settings",
  async () => {
    const database = await temporaryPostgres();
    onTestFinished(() => database[Symbol.asyncDispose]());
    const db_url = await startPgBouncer(database.url);
    const storage = { storage_type: "cloud", storage_config: { db_url } } as const;
    const store = await openStore(storage);
    onTestFinished(() => store.close());
    const { row, session_id, steps } = newSession(store);
    const { epoch } = await store.bindSession(session_id);
    const rows = Array.from({ length: 30 }, (_, index) => row(index + 1, { epoch }));
    await Promise.all(rows.map((each) => store.writeSteps([each], soon())));
    expect(await steps()).toHaveLength(30);

    const jobs = await openJobStore(storage);
    onTestFinished(() => jobs.close());
    await jobs.addSimulations("job", simulations(20));
    const claims = [1, 2, 3, 4].map((owner) =>
      jobs.claim({ job_id: "job", owner: String(owner), limit: 5 }),
    );
    expect((await Promise.all(claims)).flat()).toHaveLength(20);
  },
);

test.skipIf(isSkipped)("a statement's time is limited through PgBouncer too", async () => {
  const database = await temporaryPostgres();
  onTestFinished(() => database[Symbol.asyncDispose]());
  const db_url = await startPgBouncer(database.url);
  const storage_config = { db_url, statement_timeout_s: 0.2 };
  const store = await openStore({ storage_type: "cloud", storage_config });
  onTestFinished(() => store.close());
  const { row } = newSession(store);
  const other = new Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("begin; lock table stored_steps in exclusive mode");
  await expect(store.writeSteps([row(1)], soon())).rejects.toThrow(/statement time-out/);
  await other.query("commit");
  expect(await store.writeSteps([row(1)], soon())).toHaveLength(1);
});
