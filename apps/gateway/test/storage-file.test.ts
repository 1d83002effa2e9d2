import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chatCompletion, startFaultyUpstream, temporaryFolder } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { startGatewayProcess } from "./gateway-process.ts";
import { postChat, serveGateway, storedRows } from "./served-gateway.ts";

async function startSite() {
  const upstream = await startFaultyUpstream((_request, reply) => {
    void reply.json(chatCompletion());
  });
  onTestFinished(() => upstream[Symbol.asyncDispose]());
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const serve = async () => {
    const gateway = await serveGateway(folder.path, upstream.url);
    onTestFinished(() => gateway.program[Symbol.asyncDispose]());
    return gateway;
  };
  return { path: folder.path, serve, gateway: await serve() };
}

async function runGateway(args: readonly string[], cwd: string) {
  await using program = startGatewayProcess(args, { cwd });
  const { code } = await program.exit();
  return { code, stderr: program.stderr };
}

test("backup copies everything answered so far, and a gateway continues from the copy", async () => {
  const { path, gateway, serve } = await startSite();
  expect((await postChat(gateway.url, "before")).status).toBe(200);
  const backup = await runGateway(["backup", "-c", "gateway.yaml", "copy.db"], path);
  expect(backup).toMatchObject({ code: 0, stderr: expect.stringMatching(/copy\.db: \d+ bytes/) });
  expect((await postChat(gateway.url, "after")).status).toBe(200);
  gateway.program.kill("SIGKILL");
  await gateway.program.exit();

  for (const suffix of ["", "-wal", "-shm"]) rmSync(join(path, `gateway.db${suffix}`));
  renameSync(join(path, "copy.db"), join(path, "gateway.db"));
  const restored = await serve();
  expect((await postChat(restored.url, "before")).status).toBe(200);
  restored.program.kill("SIGTERM");
  await restored.program.exit();
  const rows = storedRows(path).map(({ session_id, step_id }) => [session_id, step_id]);
  expect(rows).toEqual([
    ["before", 1],
    ["before", 2],
  ]);
});

test("a second gateway on the same file exits at once and names the first, until that one is killed", async () => {
  const { path, gateway, serve } = await startSite();
  const second = await runGateway(["--config", "gateway.yaml"], path);
  expect(second.code).toBe(3);
  expect(second.stderr).toContain(
    `gateway.db is in use by a gateway (process ${gateway.program.pid} on `,
  );
  expect((await postChat(gateway.url, "s")).status).toBe(200);
  gateway.program.kill("SIGKILL");
  await gateway.program.exit();
  await serve();
});
