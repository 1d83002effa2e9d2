import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { monotonicMs, openStore, type SessionStore, type StepRow } from "@proj/session-store";
import { temporaryFolder } from "@proj/test-kit";
import { expect, onTestFinished, test, vi } from "vitest";
import { startGatewayProcess } from "./gateway-process.ts";

const image = "i".repeat(100_000);
const old = "2026-01-02T03:04:05.678Z";
const config = `
listen_port: 0
storage_config: { db_url: sqlite://rows.db }
llm_routes: { small: { base_url: "http://127.0.0.1:9/v1" } }
`;

async function folderWith(yaml: string) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  await writeFile(join(folder.path, "gateway.yaml"), yaml);
  const storage_config = { db_url: `sqlite://${join(folder.path, "rows.db")}`, isOwner: false };
  const store = await openStore({ storage_type: "sqlite", storage_config });
  onTestFinished(() => store.close());
  return { cwd: folder.path, store };
}

const messagesOf = (session_id: string, step: number): string =>
  JSON.stringify([session_id, step, image]);

async function write(store: SessionStore, session_id: string, steps: number, created_at: string) {
  const rows = Array.from({ length: steps }, (_, index): StepRow => {
    const step_id = index + 1;
    return {
      ...{ request_id: `${session_id}-${step_id}`, session_id, model: "small", step_id },
      ...{ epoch: null, status_code: 200, env_name: null, job_id: "job", group_id: null },
      ...{ created_at, meta_json: "{}", request: Buffer.from("{}"), response: null, history: null },
      messages: Buffer.from(messagesOf(session_id, step_id)),
    };
  });
  await store.writeSteps(rows, { deadline: monotonicMs() + 30_000 });
}

async function textsOf(store: SessionStore, session_id: string): Promise<(string | null)[]> {
  const { steps } = await store.readSteps({ session_id, limit: 1000 });
  return steps.map(({ messages }) => messages);
}

const prune = (cwd: string, ...more: readonly string[]) =>
  startGatewayProcess(["prune", "-c", "gateway.yaml", "--older-than", "30d", ...more], { cwd });

test("prunes while rows are written; killed at any time, what is left reads byte for byte", async () => {
  const { cwd, store } = await folderWith(config);
  const olds = Array.from({ length: 40 }, (_, index) => `old-${index}`);
  for (const session_id of olds) await write(store, session_id, 20, old);
  await using counted = prune(cwd, "--dry-run");
  expect(await counted.exit()).toMatchObject({ code: 0 });
  expect(counted.stdout).toContain("40 sessions would be pruned: 800 rows");

  const now = new Date().toISOString();
  const news: string[] = [];
  for (let kill = 0; kill < 2; kill += 1) {
    await using killed = prune(cwd);
    const exit = killed.exit();
    let isOver = false;
    void exit.then(() => {
      isOver = true;
    });
    // The newest rows go first.
    const newest = olds[39 - 10 * kill] ?? "";
    const before = (await textsOf(store, newest)).length;
    for (let written = 0; !isOver; written += 1) {
      const session_id = `new-${kill}-${written}`;
      news.push(session_id);
      await write(store, session_id, 2, now);
      if ((await textsOf(store, newest)).length < before) killed.kill("SIGKILL");
    }
    await exit;
    for (const session_id of olds) {
      const left = await textsOf(store, session_id);
      expect(left).toEqual(left.map((_, index) => messagesOf(session_id, index + 1)));
    }
  }
  await using last = prune(cwd);
  expect(await last.exit()).toMatchObject({ code: 0 });
  for (const session_id of olds) expect(await textsOf(store, session_id)).toEqual([]);
  for (const session_id of news) {
    expect(await textsOf(store, session_id)).toEqual([1, 2].map((n) => messagesOf(session_id, n)));
  }
});

test("a gateway with a retention prunes by itself", async () => {
  const { cwd, store } = await folderWith(
    `${config}retention: { older_than_days: 30, keep: rows }`,
  );
  await write(store, "old", 2, old);
  await write(store, "new", 1, new Date().toISOString());
  await using gateway = startGatewayProcess(["--config", "gateway.yaml"], { cwd });
  await vi.waitFor(async () => expect(await textsOf(store, "old")).toEqual([null, null]), 20_000);
  expect(await textsOf(store, "new")).toEqual([messagesOf("new", 1)]);
  gateway.kill("SIGTERM");
  expect(await gateway.exit()).toMatchObject({ code: 0 });
});

test.each([
  [[], "--older-than AGE is needed"],
  [["--older-than", "30"], "must be a number of hours, days or weeks"],
])("an age that is missing or unclear is refused: %j", async (args, message) => {
  const { cwd } = await folderWith(config);
  await using program = startGatewayProcess(["prune", "-c", "gateway.yaml", ...args], { cwd });
  expect(await program.exit()).toMatchObject({ code: 2 });
  expect(program.stderr).toContain(message);
});
