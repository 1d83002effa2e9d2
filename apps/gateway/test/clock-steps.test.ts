import { existsSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  isLeftOut,
  startDemoUpstream,
  type startProcess,
  temporaryFolder,
  waitFor,
} from "@proj/test-kit";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGatewayProcess } from "./gateway-process.ts";
import { postChat, say, storedRows } from "./served-gateway.ts";

// Setting the clock, as NTP does or as happens after a suspend, changes no deadline. libfaketime moves only this
// program's wall clock; its monotonic clock keeps running.

const library = ["x86_64", "aarch64"]
  .map((cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find(existsSync);
const isElsewhere = isLeftOut(
  "clock steps",
  library !== undefined,
  "Debian: apt-get install libfaketime",
);

describe.skipIf(isElsewhere)("setting the clock", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let upstream: Awaited<ReturnType<typeof startDemoUpstream>>;
  let program: ReturnType<typeof startProcess>;
  let url = "";

  beforeAll(async () => {
    folder = await temporaryFolder();
    upstream = await startDemoUpstream();
    const config = {
      listen_port: 0,
      storage_config: { db_url: "sqlite://gateway.db" },
      request_log: { enabled: false },
      llm_routes: { policy: { base_url: upstream.url, upstream_model: "demo" } },
    };
    await writeFile(join(folder.path, "gateway.yaml"), JSON.stringify(config));
    await setClock("+0s");
    program = startGatewayProcess(["--config", "gateway.yaml"], {
      cwd: folder.path,
      env: {
        LD_PRELOAD: library ?? "",
        FAKETIME_TIMESTAMP_FILE: join(folder.path, "clock"),
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
        DONT_FAKE_MONOTONIC: "1",
      },
    });
    url = (await program.line(/^gateway +http/, 30_000)).replace(/^gateway +/, "");
  });

  afterAll(async () => {
    await program?.[Symbol.asyncDispose]();
    await upstream?.close();
    await folder?.remove();
  });

  /** Moves the program's wall clock in one step: libfaketime reads the file at every look at the time. */
  async function setClock(offset: string): Promise<void> {
    const path = join(folder.path, "clock");
    await writeFile(`${path}.new`, `${offset}\n`);
    await rename(`${path}.new`, path);
  }

  test("refuses no step and delays no answer, forward or back, under load", async () => {
    const statuses: number[] = [];
    let isOver = false;
    const call = async (caller: number): Promise<void> => {
      for (let turn = 0; !isOver; turn++) {
        const answer = await postChat(url, `caller-${caller}`, false, [say(`${turn}`)]);
        await answer.text();
        statuses.push(answer.status);
      }
    };
    const callers = Array.from({ length: 12 }, (_, caller) => call(caller));
    const skewed: number[] = [];
    for (const offset of ["+1h", "+2d", "-1h", "+30d", "+0s"]) {
      await setClock(offset);
      const answered = statuses.length;
      // Every caller keeps getting answers: none waits for a deadline that the step moved away.
      await waitFor(() => statuses.length >= answered + 60, `answers after ${offset}`);
      const date = (await fetch(`${url}/v1/sessions/caller-0`)).json() as Promise<{
        last_seen_at: string;
      }>;
      skewed.push(
        Math.round((Date.parse((await date).last_seen_at) - Date.now()) / 3_600_000) || 0,
      );
    }
    isOver = true;
    await Promise.all(callers);
    // The program really saw each step of the clock.
    expect(skewed).toEqual([1, 48, -1, 720, 0]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const rows = storedRows(folder.path).filter(({ session_id }) =>
      session_id.startsWith("caller"),
    );
    expect(rows).toHaveLength(statuses.length);
    expect(new Set(rows.map(({ status_code }) => status_code))).toEqual(new Set([200]));
  });

  test("does not keep a session from its environment after a step back", async () => {
    await setClock("+1h");
    expect((await postChat(url, "bound")).status).toBe(200);
    await setClock("-1h");
    const database = new Database(join(folder.path, "gateway.db"), { timeout: 30_000 });
    database
      .prepare(
        `insert into job_environments (session_id, job_id, simulation_id, attempt, env_name,
         env_params, status, created_at)
         values ('bound', 'j', 'sim', 1, 'env', '{}', 'finished', '2026-01-01T00:00:00.000Z')`,
      )
      .run();
    database.close();
    await waitFor(async () => {
      const answer = await postChat(url, "bound");
      await answer.text();
      return answer.status === 400;
    }, "the session to find its environment");
  });
});
