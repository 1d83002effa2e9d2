import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { listen, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startPaperTrading } from "./paper-trading-process.ts";

/** Runs the program to its end in a folder with a configuration. */
async function run(args: readonly string[], yaml = "") {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, "paper.yaml"), yaml);
  await using program = startPaperTrading(args, { cwd: folder.path });
  const { code } = await program.exit();
  return { code, stdout: program.stdout, stderr: program.stderr };
}

test("--help prints the usage, --version the version, and both exit with 0", async () => {
  const help = await run(["--help"]);
  expect(help.code).toBe(0);
  expect(help.stdout).toContain("Usage: paper-trading");
  const version = await run(["--version"]);
  expect(version.code).toBe(0);
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+/);
});

test("a wrong command line says what is wrong and exits with 2", async () => {
  const unknown = await run(["--confg", "x"]);
  expect([unknown.code, unknown.stdout]).toEqual([2, ""]);
  expect(unknown.stderr).toContain("--confg");
  expect((await run(["--port", "many"])).stderr).toContain("--port must be a whole number");
});

test("a wrong configuration lists everything wrong and exits with 2", async () => {
  const yaml = "tokens: [very-secret]\naccounts: [{ account_id: 5 }]\nsped: 1\n";
  const { code, stderr } = await run(["--config", "paper.yaml"], yaml);
  expect(code).toBe(2);
  expect(stderr).toContain("accounts[0].balance: is required");
  expect(stderr).toContain("accounts[0].account_id: expected a string, found 5");
  expect(stderr).toContain("sped: is not a known key; did you mean speed?");
  expect(stderr).not.toContain("very-secret");
  const none = await run(["--config", "none.yaml"]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("none.yaml")]);
  const broken = await run(["--config", "paper.yaml"], "tokens: [\n");
  expect(broken.code).toBe(2);
  const odd = "tokens: [very-secret]\naccounts: [{ account_id: '5', balance: 1 }]\nspeed: -1\n";
  const negative = await run(["--config", "paper.yaml"], odd);
  expect([negative.code, negative.stderr]).toEqual([
    2,
    expect.stringContaining("3:1 speed: expected at least 0, found -1"),
  ]);
});

test("other failures exit with 3", async () => {
  const yaml =
    "tokens: [very-secret]\naccounts: [{ account_id: '5', balance: 1 }]\nprices: { type: csv, file: none.csv }\n";
  const { code, stderr } = await run(["--config", "paper.yaml", "--port", "0"], yaml);
  expect([code, stderr]).toEqual([3, expect.stringContaining("none.csv")]);
});

test("a taken port is named and exits with 3", async () => {
  await using taken = await listen(createServer());
  const { code, stderr } = await run(["--port", String(taken.port)]);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining(`port ${taken.port} of 127.0.0.1 is in use`),
  ]);
});
