import { readFileSync } from "node:fs";
import {
  type Command,
  configOption,
  defineCommand,
  exitCode,
  flag,
  jsonOption,
  type LoadCommand,
  oneOf,
  oneOperand,
  operands,
  optional,
  type Program,
  ProgramError,
  portOption,
  readWithDefault,
  repeated,
  required,
  seconds,
  wholeNumber,
} from "../src/index.ts";

/** The arguments of the last run. */
export const seen: { given: unknown } = { given: null };

/** The commands that were loaded, in order; tests empty it. */
export const loaded: string[] = [];

const load = (command: Command): LoadCommand => {
  return async () => {
    loaded.push(command.name);
    return command;
  };
};

const serve = defineCommand({
  name: "serve",
  summary: "open the shop",
  options: { config: configOption("YAML settings"), port: portOption("listen here") },
  run: async (given) => {
    seen.given = given;
    return exitCode.done;
  },
});

const bake: Command = defineCommand({
  name: "bake",
  summary: "bake a loaf",
  about: "Bakes a loaf.\n\nIt takes a while.",
  no: "the loaf is burnt",
  operand: oneOperand("FILE", "the recipe", "files"),
  options: {
    grain: required("GRAIN", "what it is made of"),
    crust: readWithDefault(oneOf("FORM", ["thin", "thick"], "its crust"), "thin"),
    loaves: readWithDefault(wholeNumber("N", "how many", { min: 1, max: 12 }), 1),
    "oven-timeout": seconds("in the oven"),
    seed: repeated("NAME", "what is on top", { short: "s" }),
    salt: optional("BRAND", "the salt", { group: "Taste", variable: "BAKERY_SALT" }),
    organic: flag("no chemicals"),
    json: jsonOption("as JSON"),
  },
  check({ options: { organic, salt } }, refuse) {
    if (organic && salt === "cheap") refuse("--organic does not go with cheap salt");
  },
  run: async (given, { signal }) => {
    seen.given = given;
    if (given.operand === "burnt") throw new ProgramError("it is burnt", exitCode.no);
    if (given.operand === "gone") readFileSync("gone");
    if (given.operand === "secret") throw new Error("no postgres://u:hidden@db/x");
    if (given.operand === "slow") signal.throwIfAborted();
    return exitCode.done;
  },
});

const taste = defineCommand({
  name: "taste",
  summary: "say how loaves are",
  operand: operands("LOAF", "the loaves"),
  options: {},
  run: async (given) => {
    seen.given = given;
    return exitCode.done;
  },
});

export const bakery: Program = {
  name: "bakery",
  manifest: new URL("../package.json", import.meta.url),
  about: "Bakes bread, and sells it.",
  commands: { serve: load(serve), bake: load(bake), taste: load(taste) },
  otherwise: "serve",
};

/** The same without a command that runs by default. */
export const strictBakery: Program = {
  name: "bakery",
  manifest: bakery.manifest,
  about: bakery.about,
  commands: bakery.commands,
};
