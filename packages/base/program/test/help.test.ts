import { expect, test } from "vitest";
import { bakery } from "./bakery.ts";
import { runHere } from "./run-here.ts";

test("--help shows what a program is for, its commands, its default command's options and its exit codes", async () => {
  const { code, stdout, stderr } = await runHere(bakery, ["--help"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(`Usage: bakery [COMMAND] [OPTIONS]

Bakes bread, and sells it.

Options:
  -c, --config <FILE>  YAML settings
  -p, --port <PORT>    listen here; 0: any free port
  -v, --version        the version
  -h, --help           this text

Commands:
  serve                open the shop (also runs if no command is given)
  bake FILE            bake a loaf
  taste [LOAF …]       say how loaves are
  completion SHELL     print a script with which a shell completes this
                       program's commands and options
  help [COMMAND]       show how to use the program or one of its commands

'bakery COMMAND --help' shows more about a command.

Exit codes:
  0    done, or stopped in an orderly way by a signal
  1    it ran, and the answer is no; each command says what that means
  2    the command line or a configuration is wrong
  3    it could not run: a file, an address, a database or the network failed
  130  a signal cut it short
`);
  expect(await runHere(bakery, ["-h"])).toEqual({ code, stdout, stderr });
  expect(await runHere(bakery, ["help"])).toEqual({ code, stdout, stderr });
});

test("help names the program as it was called", async () => {
  for (const args of [["--help"], ["help"]]) {
    const { stdout } = await runHere(bakery, args, { calledAs: "npm run bakery --" });
    expect(stdout).toContain("'npm run bakery -- COMMAND --help' shows more about a command.\n");
  }
});

test("a command's help shows its operand, its options with defaults, and what exit code 1 means", async () => {
  const { stdout } = await runHere(bakery, ["bake", "--help"]);
  expect(stdout).toBe(`Usage: bakery bake FILE --grain GRAIN [OPTIONS]

Bakes a loaf.

It takes a while.

Arguments:
  FILE                the recipe

Options:
  --grain <GRAIN>     what it is made of
  --crust <FORM>      its crust (default: thin)
  --loaves <N>        how many (default: 1)
  --oven-timeout <S>  in the oven
  -s, --seed <NAME>   what is on top (repeatable)
  --organic           no chemicals
  --json              as JSON
  -v, --version       the version
  -h, --help          this text

Taste:
  --salt <BRAND>      the salt

Environment:
  BAKERY_SALT  replaces --salt, and does not show in process lists

Exit codes:
  0    done, or stopped in an orderly way by a signal
  1    the loaf is burnt
  2    the command line or a configuration is wrong
  3    it could not run: a file, an address, a database or the network failed
  130  a signal cut it short
`);
  expect((await runHere(bakery, ["help", "bake"])).stdout).toBe(stdout);
});

test("no line is longer than 80 characters", async () => {
  const long = { ...bakery, about: "many words ".repeat(50) };
  const { stdout } = await runHere(long, ["--help"]);
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});

test("--version prints the package's version", async () => {
  for (const args of [["--version"], ["-v"], ["bake", "--version"]])
    expect(await runHere(bakery, args)).toEqual({ code: 0, stdout: "0.0.0\n", stderr: "" });
});
