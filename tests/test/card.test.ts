// What the workspace's user asked for by name. These lines must keep working however the inside changes.
import { existsSync, globSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, type RunningProcess, startProcess, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const bootstrap = join(root, "scripts/bootstrap.mjs");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

test.each([
  "pnpm-workspace.yaml",
  "turbo.json",
  "package.json",
  "packages",
  "apps",
  "tsconfig.base.json",
  ".github",
])("the root has %s", (path) => {
  expect(existsSync(join(root, path))).toBe(true);
});

test.each([
  "turbo",
  "axios",
  "express",
  "socket.io-client",
  "kysely",
  "better-sqlite3",
  "ajv",
  "yaml",
  "vitest",
])("some package is built with %s", (part) => {
  const users = globSync("{package.json,{packages/*,apps}/*/package.json}", { cwd: root }).filter(
    (file) => read(file).includes(`"${part}": "catalog:"`),
  );
  expect(users).not.toEqual([]);
});

/** `pnpm --filter NAME start ARGUMENTS`, as the workspace's own pnpm runs it. */
const start = (name: string, ...args: string[]): RunningProcess =>
  startProcess([bootstrap, "pnpm", "--filter", name, "start", ...args], {
    cwd: root,
    env: { INIT_CWD: undefined },
    isGroup: true,
  });

test("pnpm --filter gateway start serves", async () => {
  await using folder = await temporaryFolder();
  const port = await freePort();
  const config = join(folder.path, "gateway.yaml");
  await writeFile(
    config,
    `llm_routes: { policy: { base_url: "http://127.0.0.1:1/v1" } }
storage_config: { db_url: "sqlite://${join(folder.path, "gateway.db")}" }
`,
  );
  await using gateway = start("gateway", "--config", config, "--port", String(port));
  const line = await gateway.line(/http:\/\/127\.0\.0\.1:\d+/);
  expect(line).toContain(`127.0.0.1:${port}`);
  const health = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect(health.status).toBe(200);
  gateway.kill("SIGINT");
  await gateway.exit();
  await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow("fetch failed");
});

test.each(["arena", "deprecations", "gateway", "launcher", "paper-trading", "points"])(
  "pnpm --filter %s start takes arguments",
  async (name) => {
    await using program = start(name, "--help");
    expect(await program.exit()).toEqual({ code: 0, signal: null });
    expect(program.stdout).toMatch(/usage|Usage/);
  },
);

test("bots import @proj/trading-client, and launchers @proj/launcher-client", async () => {
  const trading = await import("@proj/trading-client");
  const launcher = await import("@proj/launcher-client");
  expect(Object.keys(trading)).toContain("connectTrading");
  expect(Object.keys(launcher)).toContain("SimulationManager");
});
