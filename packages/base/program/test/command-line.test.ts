import { expect, test } from "vitest";
import { Interruption } from "../src/index.ts";
import { bakery, loaded, seen, strictBakery } from "./bakery.ts";
import { runHere } from "./run-here.ts";

const bake = ["bake", "rye.txt", "--grain", "rye"];

test("a command gets its options and its operand, converted", async () => {
  const more = [
    "--crust=thick",
    "--loaves",
    "3",
    "--oven-timeout",
    "1.5",
    "--organic",
    "-sa",
    "-s",
    "b",
  ];
  expect(await runHere(bakery, [...bake, ...more])).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(seen.given).toEqual({
    operand: "rye.txt",
    options: {
      grain: "rye",
      crust: "thick",
      loaves: 3,
      "oven-timeout": 1500,
      seed: ["a", "b"],
      salt: null,
      organic: true,
      json: false,
    },
  });
});

test("a file that is missing is reported in plain words", async () => {
  const { code, stderr } = await runHere(bakery, ["bake", "gone", "--grain", "rye"]);
  expect([code, stderr]).toEqual([3, "bakery: no such file or folder: 'gone'\n"]);
});

test("missing options have their default, or come from the environment", async () => {
  await runHere(bakery, bake, { environment: { BAKERY_SALT: "sea" } });
  expect(seen.given).toMatchObject({
    options: {
      crust: "thin",
      loaves: 1,
      "oven-timeout": null,
      seed: [],
      salt: "sea",
      organic: false,
    },
  });
  await runHere(bakery, [...bake, "--salt", "rock"], { environment: { BAKERY_SALT: "sea" } });
  expect(seen.given).toMatchObject({ options: { salt: "rock" } });
});

test.each([[[]], [["serve"]], [["--port", "80", "serve"]], [["--", "-p80"]]])(
  "without a command the default one runs, and options may come before it: %j",
  async (args) => {
    seen.given = null;
    expect((await runHere(bakery, args)).code).toBe(0);
    expect(seen.given).toMatchObject({ options: { port: args.length > 1 ? 80 : null } });
  },
);

test("after -- everything is an operand", async () => {
  await runHere(bakery, ["taste", "a", "--", "--help", "-x"]);
  expect(seen.given).toMatchObject({ operand: ["a", "--help", "-x"] });
});

test.each([
  [["frobnicate"], "unknown command 'frobnicate'; there are serve, bake, taste, completion, help"],
  [["bkae"], "unknown command 'bkae'; did you mean 'bake'?"],
  [["serve", "extra"], "serve takes no argument, but was given 'extra'"],
  [["--prot", "80"], "unknown option '--prot'; did you mean '--port'?"],
  [["-x"], "unknown option '-x'"],
  [["serve", "--grain", "rye"], "unknown option '--grain'; it is one of 'bakery bake'"],
  [["--port"], "--port needs a value, PORT"],
  [["--port", ""], "--port must not be empty"],
  [["--port", "many"], "--port must be a whole number from 0 to 65535, not 'many'"],
  [["--port", "65536"], "--port must be a whole number from 0 to 65535, not '65536'"],
  [["--config", "--port", "80"], "--config needs a value, FILE; '--port' looks like an option"],
  [[...bake, "--organic=yes"], "--organic takes no value"],
  [["serve", "--help=yes"], "--help takes no value"],
  [["bake", "rye.txt"], "bake needs --grain GRAIN"],
  [["bake", "--grain", "rye"], "bake needs FILE"],
  [[...bake, "more.txt"], "bake takes one FILE, not also 'more.txt'"],
  [[...bake, "--crust", "none"], "--crust must be thin or thick, not 'none'"],
  [[...bake, "--loaves", "0"], "--loaves must be a whole number from 1 to 12, not '0'"],
  [
    [...bake, "--oven-timeout", "soon"],
    "--oven-timeout must be a number of seconds up to 2000000, not 'soon'",
  ],
  [[...bake, "--salt", "cheap", "--organic"], "--organic does not go with cheap salt"],
  [["help", "bkae"], "unknown command 'bkae'; did you mean 'bake'?"],
  [["completion", "tcsh"], "SHELL must be bash, zsh, fish, not 'tcsh'"],
])("%j is refused in a few lines, with exit code 2", async (args, message) => {
  const { code, stdout, stderr } = await runHere(bakery, args);
  const [first, blank, usage, hint, ...rest] = stderr.split("\n");
  expect(first).toBe(`bakery: ${message}`);
  expect(blank).toBe("");
  expect(usage).toMatch(/^Usage: bakery /);
  expect(hint).toMatch(/^'bakery.* --help' shows more\.$/);
  expect(rest).toEqual([""]);
  expect([code, stdout]).toEqual([2, ""]);
});

test("everything that is wrong is reported at once", async () => {
  const { stderr } = await runHere(bakery, ["bake", "--crust", "none", "--loaves", "0", "a", "b"]);
  expect(stderr).toMatch(
    /^bakery: the command line is wrong:\n {2}bake needs --grain GRAIN\n {2}--crust .*\n {2}--loaves .*\n {2}bake takes one FILE, not also 'b'\n/,
  );
});

test("a word that may be the value of an unknown option is not reported", async () => {
  const { stderr } = await runHere(bakery, ["serve", "--colour", "red"]);
  expect(stderr).toMatch(/^bakery: unknown option '--colour'\n\n/);
});

test.each([
  [["--version"], []],
  [["taste", "rye"], ["taste"]],
  [[], ["serve"]],
  [["--port", "80"], ["serve"]],
  [["bake", "--help"], ["bake"]],
  [["help", "bake"], ["bake"]],
  [["frobnicate"], []],
  [
    ["taste", "--port", "80"],
    ["taste", "serve", "bake", "taste"],
  ],
])(
  "%j loads the called command, and others only to say which one takes an option",
  async (args, names) => {
    loaded.length = 0;
    await runHere(bakery, args);
    expect(loaded).toEqual(names);
  },
);

test("a command with another name in the table than its own is refused", async () => {
  const program = { ...bakery, commands: { roast: bakery.commands.bake ?? expect.fail() } };
  const { code, stderr } = await runHere(program, ["roast"]);
  expect([code, stderr]).toEqual([3, "bakery: the table of commands has 'bake' as 'roast'\n"]);
});

test("a program without a default command asks for one", async () => {
  const { code, stderr } = await runHere(strictBakery, []);
  expect(stderr).toMatch(/^bakery: say what to do: serve, bake, taste, completion, help\n/);
  expect(code).toBe(2);
});

test("failures have their own exit codes, and messages without passwords", async () => {
  const fail = (what: string) => runHere(bakery, ["bake", what, "--grain", "rye"]);
  expect(await fail("burnt")).toEqual({ code: 1, stdout: "", stderr: "bakery: it is burnt\n" });
  expect(await fail("secret")).toEqual({
    ...{ code: 3, stdout: "", stderr: "bakery: no postgres://u:***@db/x\n" },
  });
});

test("work that a signal cuts short ends with 130", async () => {
  const signal = AbortSignal.abort(new Interruption("SIGINT"));
  const { code, stderr } = await runHere(bakery, ["bake", "slow", "--grain", "rye"], { signal });
  expect([code, stderr]).toEqual([130, "bakery: ended by SIGINT\n"]);
});
