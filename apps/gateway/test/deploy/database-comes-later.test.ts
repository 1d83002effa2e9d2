import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort, startDemoUpstream, temporaryFolder, waitFor } from "@proj/test-kit";
import { startPostgresServer, temporaryPostgres } from "@proj/test-kit/postgres";
import { Client } from "pg";
import { expect, test } from "vitest";
import { startGatewayProcess } from "../gateway-process.ts";

async function startGateway(db_url: string, upstreamUrl: string) {
  const folder = await temporaryFolder();
  const port = await freePort();
  const config = `
listen_port: ${port}
storage_type: cloud
storage_config: { db_url: "${db_url}" }
llm_routes: { policy: { base_url: "${upstreamUrl}" } }
`;
  await writeFile(join(folder.path, "gateway.yaml"), config);
  const program = startGatewayProcess(["--config", "gateway.yaml"], { cwd: folder.path });
  return {
    ...{ program, url: `http://127.0.0.1:${port}` },
    [Symbol.asyncDispose]: async () => {
      await program[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

const chat = (url: string): Promise<Response> =>
  fetch(`${url}/v1/sessions/s/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "policy", messages: [{ role: "user", content: "Hi" }] }),
  });

test("a gateway that starts before its database reports starting, and serves once the database is up", async () => {
  await using upstream = await startDemoUpstream();
  await using server = await startPostgresServer();
  await server.stop();
  await using gateway = await startGateway(server.url, upstream.url);
  const { program, url } = gateway;
  expect(await program.line(/^Waiting for the database/)).toContain("refuses connections");
  const readiness = await waitFor(() => fetch(`${url}/readyz`).catch(() => null), "readyz");
  expect([readiness.status, await readiness.json()]).toMatchObject([
    503,
    { status: "starting", storage_type: "cloud", storage_id: null },
  ]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const refused = await chat(url);
  expect([
    refused.status,
    refused.headers.get("x-should-retry"),
    await refused.json(),
  ]).toMatchObject([503, "true", { error: { code: "storage_unavailable" } }]);
  await server.start();
  await program.line(/^gateway +http/);
  await waitFor(async () => (await fetch(`${url}/readyz`)).status === 200, "readiness");
  expect((await chat(url)).status).toBe(200);
});

test("SIGTERM ends the wait in order", async () => {
  await using gateway = await startGateway(
    `postgres://u@127.0.0.1:${await freePort()}/d`,
    "http://127.0.0.1:1/v1",
  );
  await gateway.program.line(/^Waiting for the database/);
  gateway.program.kill("SIGTERM");
  expect(await gateway.program.exit()).toEqual({ code: 0, signal: null });
});

test("a start fails on what waiting cannot fix: no such database, a wrong password, a newer schema", async () => {
  await using database = await temporaryPostgres();
  const missing = new URL(database.url);
  missing.pathname = "/nobody-made-it";
  await using first = await startGateway(missing.href, "http://127.0.0.1:1/v1");
  expect((await first.program.exit()).code).toBe(3);
  expect(first.program.stderr).toContain("does not exist");
  const stranger = new URL(database.url);
  stranger.password = "guessed";
  await using third = await startGateway(stranger.href, "http://127.0.0.1:1/v1");
  expect((await third.program.exit()).code).toBe(3);
  expect(third.program.stderr).toContain("password");
  expect(third.program.stderr).not.toContain("guessed");

  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    "create table storage_info (storage_id text, schema_version int, created_at text)",
  );
  await client.query("insert into storage_info values ('newer', 1000, '')");
  await client.end();
  await using second = await startGateway(database.url, "http://127.0.0.1:1/v1");
  expect((await second.program.exit()).code).toBe(3);
  expect(second.program.stderr).toContain("newer version of the program");
});
