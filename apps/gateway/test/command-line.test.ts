import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGatewayProcess } from "./gateway-process.ts";

/** Runs the program to its end, in a folder with the given files. */
async function run(args: readonly string[], files: Record<string, string> = {}, env = {}) {
  await using folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  await using program = startGatewayProcess(args, { cwd: folder.path, env });
  const { code } = await program.exit();
  return { code, stdout: program.stdout, stderr: program.stderr };
}

const valid = `
max_steps: 20
storage_config: { db_url: sqlite://rows.db }
auth: { api_keys: [{ name: launcher, key: very-secret-key }] }
llm_routes:
  small: { base_url: "http://127.0.0.1:9/v1", api_key: "\${SMALL_KEY}" }
`;

test("--help says how to use it, and exits with 0", async () => {
  const { code, stdout } = await run(["--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Usage: gateway");
  expect(stdout).toContain("--config");
});

test("--version prints the package's version", async () => {
  const { code, stdout } = await run(["--version"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
});

test.each([
  [["--confg", "x.yaml"], /--confg/],
  [["frobnicate"], /unknown command 'frobnicate'/],
  [["check"], /check needs --config FILE/],
  [["--port", "many"], /--port must be a whole number/],
])("a wrong command line says what is wrong, and exits with 2: %j", async (args, message) => {
  const { code, stdout, stderr } = await run(args);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
  expect(stderr).toContain("Usage: gateway");
  expect(stdout).toBe("");
});

test("check prints what would run with every default, and no secret", async () => {
  const { code, stdout, stderr } = await run(
    ["check", "--config", "gateway.yaml"],
    { "gateway.yaml": valid },
    { SMALL_KEY: "sk-of-the-upstream" },
  );
  expect(stderr).toContain("gateway.yaml is valid: 1 route");
  expect(code).toBe(0);
  expect(stdout).toContain("max_steps: 20");
  expect(stdout).toContain("session_close_timeout_s: 90");
  expect(stdout).not.toContain("very-secret-key");
  expect(stdout).not.toContain("sk-of-the-upstream");
});

test("a wrong configuration names every wrong key at once, and exits with 2", async () => {
  const text = valid.replace("max_steps: 20", "max_stepz: 20\nlisten_port: eighty");
  for (const args of [
    ["check", "--config", "g.yaml"],
    ["--config", "g.yaml"],
  ]) {
    const { code, stderr } = await run(args, { "g.yaml": text });
    expect(code).toBe(2);
    expect(stderr).toContain("max_stepz");
    expect(stderr).toContain("max_steps");
    expect(stderr).toContain("listen_port");
    expect(stderr).toContain("SMALL_KEY");
    expect(stderr).not.toContain("very-secret-key");
  }
});

test("a missing configuration file is reported, and exits with 2", async () => {
  const { code, stderr } = await run(["--config", "missing.yaml"]);
  expect(code).toBe(2);
  expect(stderr).toContain("missing.yaml");
});
