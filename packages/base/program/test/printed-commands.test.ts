import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { helpText } from "../src/index.ts";
import { type PrintedCommand, printedCommands, root } from "./printed-commands.ts";
import { readPrograms } from "./programs.ts";

const commands = await printedCommands();
const programs = new Map((await readPrograms()).map((found) => [found.program.name, found]));
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

test("the documents show commands of every program", () => {
  for (const name of programs.keys())
    expect(commands.map(({ text }) => text)).toContainEqual(
      expect.stringContaining(`npm run ${name}`),
    );
});

test("no document asks for pnpm, which a machine with only Node and npm does not have", () => {
  expect(commands.filter(({ words }) => words[0] === "pnpm")).toEqual([]);
});

test("every script in the documents exists", () => {
  const names = commands.flatMap(({ words }) =>
    words[0] === "npm" && words[1] === "run" ? [words[2] === "-s" ? words[3] : words[2]] : [],
  );
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) expect(Object.keys(scripts)).toContain(name);
});

test("every program takes the arguments in the documents", () => {
  const called = commands.flatMap(callOf);
  expect(called.length).toBeGreaterThan(15);
  for (const { name, args, file, isInSentence } of called) {
    const found = programs.get(name);
    if (found === undefined) throw new Error(`${file}: there is no program ${name}`);
    const { program, loaded } = found;
    const command = loaded.commands.find((one) => one.name === args[0]);
    const rest = command === undefined ? args : args.slice(1);
    const asked = command ?? loaded.otherwise;
    if (asked === null) throw new Error(`${file}: ${name} ${args.join(" ")}`);
    const line = `${file}: ${name} ${args.join(" ")}`;
    // An abridged command may lack required arguments.
    if (!isInSentence && !rest.some((word) => word.includes("…"))) {
      expect(() => asked.read(rest, {}), line).not.toThrow();
      continue;
    }
    // Otherwise the first word is a command that does not exist.
    expect(asked.operand.shown !== "" || !/^[a-z]/.test(rest[0] ?? ""), line).toBe(true);
    const help = helpText(program, asked);
    for (const [option = ""] of rest.flatMap((word) => [...word.matchAll(/^--[a-z-]+/g)]))
      expect(help, line).toContain(option);
  }
});

test("every source that the documents run exists", () => {
  const files = commands.flatMap(({ words }) =>
    words.some((word) => /(^|\/)node$/.test(word))
      ? words.filter((word) => /\.[mt]s$/.test(word))
      : [],
  );
  const own = files.filter((file) => file.includes("/src/") || file.startsWith("apps/"));
  expect(own.length).toBeGreaterThan(3);
  for (const file of own) expect([file, existsSync(`${root}${file}`)]).toEqual([file, true]);
});

/** The calls of the programs, in a clone or as a package. */
function callOf({
  words,
  file,
  isInSentence,
}: PrintedCommand): (Omit<PrintedCommand, "text" | "words"> & { name: string; args: string[] })[] {
  const [first = "", second = "", third = "", ...rest] = words;
  if (first === "npm" && second === "run" && programs.has(third))
    return [{ name: third, args: rest.filter((word) => word !== "--"), file, isInSentence }];
  if (programs.has(first) && second !== "")
    return [{ name: first, args: words.slice(1), file, isInSentence }];
  const [, scoped] = /^@proj\/(.+)$/.exec(second) ?? [];
  if (first === "npx" && scoped !== undefined)
    return [{ name: scoped, args: third === "" ? [] : [third, ...rest], file, isInSentence }];
  return [];
}
