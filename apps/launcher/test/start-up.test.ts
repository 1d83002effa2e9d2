import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test, vi } from "vitest";
import { check } from "../src/check/check.ts";
import { run } from "../src/run/run-command.ts";
import { launch, startGateway } from "./launcher.ts";

// Runs several programs one after the other, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

// docs/interfaces.md, "Launcher: errors at start", and other errors at the start.

const simulations = "- {}";

test("gateway is not reachable", async () => {
  await using gateway = await startGateway();
  await gateway.write("s.yaml", simulations);
  const args = gateway.run("s.yaml", "--gateway-base-url", "http://127.0.0.1:9");
  const { code, stdout, stderr } = await launch(args, { cwd: gateway.folder });
  expect(stderr).toMatch(/^launcher: gateway is not reachable: .*127\.0\.0\.1:9/);
  expect(stderr).toContain("--gateway-base-url");
  expect(stdout).toBe("");
  expect(code).toBe(2);
});

test("gateway SQLite DB does not match launcher --db-path: both values are named, and no file is created", async () => {
  await using gateway = await startGateway();
  await using other = await temporaryFolder();
  await gateway.write("s.yaml", simulations);
  const db_url = `sqlite://${join(other.path, "other.db")}`;
  const args = gateway.run("s.yaml", "--db-path", db_url);
  const { code, stderr } = await launch(args, { cwd: gateway.folder });
  expect(stderr).toMatch(/^launcher: gateway SQLite DB does not match launcher --db-path: /);
  expect(stderr).toContain(gateway.db_url);
  expect(stderr).toContain(db_url);
  expect(code).toBe(2);
  expect(existsSync(join(other.path, "other.db"))).toBe(false);
});

test("gateway model route(s) are not configured: the existing routes are listed", async () => {
  await using gateway = await startGateway();
  await gateway.write("s.yaml", simulations);
  const { code, stderr } = await launch(gateway.run("s.yaml", "--llm-model", "dema"), {
    cwd: gateway.folder,
  });
  expect(stderr).toMatch(
    /^launcher: gateway model route\(s\) are not configured: --llm-model "dema"/,
  );
  expect(stderr).toContain('Did you mean "demo"?');
  expect(code).toBe(2);
});

test("SERVICE_GATEWAY_CONFIG is respected, and everything that is wrong is reported at once", async () => {
  await using gateway = await startGateway();
  await gateway.write("s.yaml", simulations);
  const routes = 'llm_routes: { large: { base_url: "http://127.0.0.1:9/v1" } }';
  await gateway.write("gateway.yaml", routes);
  const { code, stderr } = await launch(gateway.run("s.yaml", "--db-path", "sqlite://other.db"), {
    cwd: gateway.folder,
    env: { SERVICE_GATEWAY_CONFIG: "gateway.yaml" },
  });
  expect(stderr).toMatch(
    /^launcher: gateway model route\(s\) are not configured: .*gateway\.yaml/m,
  );
  expect(stderr).toContain('The routes are: "large"');
  expect(stderr).toMatch(/^launcher: gateway SQLite DB does not match/m);
  expect(code).toBe(2);
});

test("a missing or wrong key is reported, but not shown", async () => {
  await using gateway = await startGateway({ auth: { api_keys: ["right"] } });
  await gateway.write("s.yaml", simulations);
  const { code, stderr } = await launch(gateway.run("s.yaml", "--gateway-api-key", "wr0ng"), {
    cwd: gateway.folder,
  });
  expect(stderr).toMatch(/^launcher: gateway API key is missing or wrong/);
  expect(stderr).not.toContain("wr0ng");
  expect(code).toBe(2);
});

test("check tells whether a job could start, and starts none", async () => {
  await using gateway = await startGateway();
  await gateway.write("s.yaml", "- { repeat: 3 }");
  const where = ["--db-path", gateway.db_url, "--gateway-base-url", gateway.url];
  const check = (model: string) =>
    launch(["check", "s.yaml", "--llm-model", model, ...where], { cwd: gateway.folder });
  expect(await check("demo")).toEqual({
    code: 0,
    stdout: `The gateway is ready, has the route, and uses the same storage. Valid: 3 simulations.
console: ${gateway.url}/console
`,
    stderr: "",
  });
  const wrong = await check("dema");
  expect(wrong.stderr).toContain('Did you mean "demo"?');
  expect(wrong.code).toBe(2);
  expect((await launch(["status", "--db-path", gateway.db_url])).stdout).toBe(
    "There are no jobs yet.\n",
  );
});

test("check takes run's command line, and refuses what run would refuse", async () => {
  expect(Object.keys(check.options)).toEqual(Object.keys(run.options));
  await using gateway = await startGateway();
  await gateway.write("s.yaml", "- { repeat: 3 }");
  const line = gateway.run("s.yaml", "--concurrency", "4", "--runtime-limit", "memory=2G");
  const ask = (...more: string[]) =>
    launch(["check", ...line.slice(1), ...more], { cwd: gateway.folder });
  expect(await ask()).toMatchObject({ code: 0, stderr: "" });
  for (const [more, message] of [
    [["--agent", "codex"], /exclude each other/],
    [["--evaluator-url", "ftp://judge/"], /--evaluator-url: /],
    [["--runtime-cwd", "nowhere"], /--runtime-cwd: there is no nowhere/],
    [["--summary", "nowhere/a.md"], /--summary: there is no nowhere/],
  ] as const)
    expect(await ask(...more)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
});

test("continuing an unknown job is refused", async () => {
  await using gateway = await startGateway();
  const { code, stderr } = await launch(gateway.run("--job-id", "job-x"));
  expect(stderr).toContain(`job 'job-x' is not in ${gateway.db_url}: give a file of simulations`);
  expect(code).toBe(2);
});

test("an upstream that answers 401 is reported during the run, with the route and the cause", async () => {
  await using gateway = await startGateway({}, { apiKey: "the upstream's key" });
  await gateway.write("s.yaml", "- { simulation_id: a }");
  const { code, stdout } = await launch(gateway.run("s.yaml"), { cwd: gateway.folder });
  expect(stdout).toMatch(/^not counted {2}a {2}upstream_failed: /m);
  expect(stdout).toMatch(
    /^warning {6}Upstream 401 or 404: the upstream of route "demo" at .* answered 401 to step 1: the route's api_key is missing or wrong$/m,
  );
  expect(code).toBe(1);
});

test("a gateway's relative path names another file here: it is refused, and no file is created", async () => {
  await using gateway = await startGateway();
  await using elsewhere = await temporaryFolder();
  await gateway.write("s.yaml", simulations);
  const config = { storage_config: { db_url: "sqlite://gw.db" } };
  const there = process.cwd();
  process.chdir(gateway.folder);
  await using relative = await startGateway(config).finally(() => process.chdir(there));
  const file = join(gateway.folder, "s.yaml");
  const args = relative.run(file, "--db-path", "sqlite://gw.db");
  const { code, stderr } = await launch(args, { cwd: elsewhere.path });
  expect(stderr).toContain("there is no such file here");
  expect(code).toBe(2);
  expect(existsSync(join(elsewhere.path, "gw.db"))).toBe(false);
});
