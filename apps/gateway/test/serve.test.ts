import { access, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ModelListBody } from "@proj/gateway-protocol";
import {
  listen,
  startDemoUpstream,
  startProcess,
  startTcpProxy,
  temporaryFolder,
  waitFor,
} from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import { expect, test } from "vitest";
import { startGatewayProcess, startGatewaySources } from "./gateway-process.ts";

const quickstart = fileURLToPath(new URL("../examples/quickstart.ts", import.meta.url));

test("without a configuration it serves a built-in model and prints a call that works", async () => {
  await using folder = await temporaryFolder();
  await using program = startGatewaySources(["--port", "0"], { cwd: folder.path });
  const line = await program.line(/^try +curl /);
  const [, url, body] = /curl -s (\S+) .* -d '(.*)'$/.exec(line) ?? [];
  const answer = await fetch(url ?? "", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: body ?? "",
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ choices: [{ finish_reason: "stop" }] });
  expect(program.stdout).toContain("'demo'");
  expect(program.stdout).toContain("session_steps");
  program.kill("SIGINT");
  expect(await program.exit()).toEqual({ code: 0, signal: null });
  await access(join(folder.path, "data/gateway.db"));
  expect(await readFile(join(folder.path, "logs/gateway.log"), "utf8")).toContain("serving");
});

test("it prints the console's address, where a browser is led, too", async () => {
  await using folder = await temporaryFolder();
  await using program = startGatewayProcess(["--port", "0"], { cwd: folder.path });
  const console = (await program.line(/^console +http/)).replace(/^console +/, "");
  const browser = { headers: { accept: "text/html" } };
  const page = await fetch(console, browser);
  expect([page.status, page.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("text/html"),
  ]);
  const led = await fetch(new URL("/", console), browser);
  expect([led.redirected, led.url]).toEqual([true, page.url]);
});

test("the quickstart runs against it unchanged", async () => {
  await using folder = await temporaryFolder();
  await using program = startGatewayProcess(["--port", "0"], { cwd: folder.path });
  const url = (await program.line(/^gateway +http/)).replace(/^gateway +/, "");
  await using example = startProcess([quickstart], { env: { GATEWAY_URL: url } });
  expect(await example.exit(), example.output).toEqual({ code: 0, signal: null });
  expect(example.stdout).toContain("6 * 7");
});

test("it serves what the configuration says, and logs to where the environment says", async () => {
  await using folder = await temporaryFolder();
  await using upstream = await startDemoUpstream();
  const config = `
listen_port: 0
storage_config: { db_url: sqlite://rows.db }
request_log: { enabled: false }
llm_routes: { small: { base_url: "${upstream.url}" } }
`;
  await writeFile(join(folder.path, "gateway.yaml"), config);
  await using program = startGatewayProcess(["--config", "gateway.yaml"], {
    cwd: folder.path,
    env: { SERVICE_GATEWAY_LOG_PATH: "elsewhere/service.log" },
  });
  const url = (await program.line(/^gateway +http/)).replace(/^gateway +/, "");
  const models = await (await fetch(`${url}/v1/models`)).json();
  expect(models).toMatchObject({ data: [{ id: "small" }] });
  program.kill("SIGTERM");
  expect(await program.exit()).toEqual({ code: 0, signal: null });
  const log = await readFile(join(folder.path, "elsewhere/service.log"), "utf8");
  expect(log).toContain('"msg":"closed"');
});

test("SIGHUP while it waits for its database is obeyed once it serves", async () => {
  await using folder = await temporaryFolder();
  await using database = await temporaryPostgres();
  const url = new URL(database.url);
  await using proxy = await startTcpProxy(Number(url.port));
  proxy.cut();
  url.port = String(proxy.port);
  const configure = (model: string): Promise<void> =>
    writeFile(
      join(folder.path, "gateway.yaml"),
      `
listen_port: 0
storage_type: cloud
storage_config: { db_url: "${url.href}" }
llm_routes: { ${model}: { base_url: "http://127.0.0.1:9/v1" } }
`,
    );
  await configure("before");
  await using program = startGatewayProcess(["--config", "gateway.yaml"], { cwd: folder.path });
  await program.line(/^Waiting for the database/);
  await configure("after");
  program.kill("SIGHUP");
  program.kill("SIGHUP");
  proxy.mend();
  expect(await program.line(/^SIGHUP: routes/)).toContain('"added":["after"]');
  const gateway = (await program.line(/^gateway +http/)).replace(/^gateway +/, "");
  const models = await (await fetch(`${gateway}/v1/models`)).json();
  expect(models).toMatchObject({ data: [{ id: "after" }] });
  program.kill("SIGTERM");
  expect(await program.exit()).toEqual({ code: 0, signal: null });
});

test("a port in use is reported with what to do, and exits with 3", async () => {
  await using folder = await temporaryFolder();
  const other = await listen(createServer());
  await using program = startGatewayProcess(["--port", String(other.port)], { cwd: folder.path });
  expect((await program.exit()).code).toBe(3);
  expect(program.stderr).toContain(`port ${other.port} of 127.0.0.1 is in use`);
  expect(program.stderr).toContain("--port");
  await other.close();
});

test("SIGHUP reads the routes again, and says what is wrong with the file", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "gateway.yaml");
  const config = (routes: string): string =>
    `listen_port: 0\nstorage_config: { db_url: sqlite://rows.db }\nllm_routes: ${routes}\n`;
  await writeFile(file, config('{ one: { base_url: "http://127.0.0.1:1/v1" } }'));
  await using program = startGatewayProcess(["--config", file], { cwd: folder.path });
  const url = (await program.line(/^gateway +http/)).replace(/^gateway +/, "");
  const keys = async (): Promise<string[]> => {
    const list = (await (await fetch(`${url}/v1/models`)).json()) as ModelListBody;
    return list.data.map(({ id }) => id);
  };
  await writeFile(file, config('{ two: { base_url: "http://127.0.0.1:1/v1" } }'));
  program.kill("SIGHUP");
  expect(await program.line(/^SIGHUP: routes/)).toContain('"added":["two"]');
  expect(await keys()).toEqual(["two"]);
  await writeFile(file, config("{ three: {} }"));
  program.kill("SIGHUP");
  await waitFor(() => program.stderr.includes("nothing was changed"), "what is wrong");
  expect(program.stderr).toContain("three");
  expect(await keys()).toEqual(["two"]);
});
