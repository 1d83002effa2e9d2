import { readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { listen, startProcess, temporaryFolder } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import type { Command, LoadedProgram } from "../src/index.ts";
import { readPrograms } from "./programs.ts";
import { runHere } from "./run-here.ts";

const programs = await readPrograms();

/** A word with two letters swapped. */
const mistyped = (word: string): string => `${word.slice(0, -2)}${word.at(-1)}${word.at(-2)}`;

const called = (program: LoadedProgram, command: Command): string[] =>
  command === program.otherwise ? [] : [command.name];

describe.each(programs)("$program.name", ({ program, loaded, bin }) => {
  const { commands } = loaded;
  const command = loaded.otherwise ?? commands[0];
  if (command === undefined) throw new Error("It has no command.");
  const start = called(loaded, command);
  const [valued = ""] =
    Object.entries(command.options).find(([, { value }]) => value !== null) ?? [];

  test.each<[string, string[], RegExp]>([
    ["an unknown command", ["frobnicate"], /unknown command 'frobnicate'; there are /],
    ["a mistyped command", [mistyped(command.name)], new RegExp(`did you mean '${command.name}'`)],
    ["an unknown option", [...start, "--frob"], /unknown option '--frob'/],
    [
      "a mistyped option",
      [...start, `--${mistyped(valued)}`, "x"],
      new RegExp(`did you mean '--${valued}'`),
    ],
    ["an unknown letter", [...start, "-X"], /unknown option '-X'/],
    [
      "an option without its value",
      [...start, `--${valued}`],
      new RegExp(`--${valued} needs a value, `),
    ],
    [
      "an option with an empty value",
      [...start, `--${valued}=`],
      new RegExp(`--${valued} must not be empty`),
    ],
    [
      "an option in place of a value",
      [...start, `--${valued}`, "--help2"],
      /'--help2' looks like an option/,
    ],
    ["a flag with a value", [command.name, "--help=no"], /--help takes no value/],
    ["an argument too many", [command.name, "a", "b"], /'(a|b)'/],
    ["help with an unknown command", ["help", "frobnicate"], /unknown command 'frobnicate'/],
    ["an unknown shell", ["completion", "tcsh"], /SHELL must be bash, zsh, fish, not 'tcsh'/],
  ])("%s is reported in a few lines, with exit code 2", async (_, args, message) => {
    const { code, stdout, stderr } = await runHere(program, args, { environment: {} });
    expect(stderr).toMatch(message);
    expect(stderr.startsWith(`${program.name}: `)).toBe(true);
    expect(stderr).toMatch(/\n\nUsage: .*\n'.* --help' shows more\.\n$/);
    expect(stderr.split("\n").length).toBeLessThan(12);
    expect([code, stdout]).toEqual([2, ""]);
  });

  test("its version is printed without loading any of its commands", async () => {
    const refuse = (): never => expect.unreachable("a command was loaded");
    const names = Object.keys(program.commands);
    const table = Object.fromEntries(names.map((name) => [name, refuse]));
    const { code, stdout } = await runHere({ ...program, commands: table }, ["--version"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  test("it and every command have help of at most 80 columns, with the exit codes", async () => {
    expect((await runHere(program, ["--help"])).stdout).not.toMatch(/.{81}/u);
    for (const one of commands) {
      const { code, stdout } = await runHere(program, [one.name, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: ${program.name} `);
      expect(stdout).toContain("Exit codes");
      expect(stdout).not.toMatch(/.{81}/u);
    }
  });

  test("shells complete its commands", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { stdout } = await runHere(program, ["completion", shell]);
      for (const one of commands) expect(stdout).toContain(one.name);
    }
  });

  // launcher's `view` needs a database before it listens.
  if (!commands.some(({ name }) => name === "serve")) return;
  test("a port in use: what to do, and exit code 3", async () => {
    await using folder = await temporaryFolder();
    await using taken = await listen(createServer());
    const args = ["serve", "--port", String(taken.port)];
    await using running = startProcess([bin, ...args], { cwd: folder.path });
    expect((await running.exit()).code).toBe(3);
    expect(running.stderr).toContain(
      `${program.name}: port ${taken.port} of 127.0.0.1 is in use. Stop what listens there, or choose another with --port.\n`,
    );
    // It was told before a database was opened.
    const files = await readdir(folder.path);
    expect(files.filter((name) => name !== "logs")).toEqual([]);
  });
});
