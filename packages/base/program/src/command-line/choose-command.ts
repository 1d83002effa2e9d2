import { closestNames } from "@proj/configuration/messages";
import { UsageError } from "../program-error.ts";
import type { Command, OptionHint, Options } from "./command.ts";
import { loadCommand, loadProgram, type Program } from "./program.ts";
import { everywhereNames, tokensOf, type WordToken } from "./tokens.ts";

export interface Choice {
  readonly command: Command;
  /** The arguments that are left for the command. */
  readonly args: readonly string[];
}

/**
 * The command is the first word that is neither an option nor an option's value.
 * @returns null: only options were given, and the program has no command for that
 * @throws UsageError there is no such command
 */
export async function chooseCommand(
  program: Program,
  args: readonly string[],
): Promise<Choice | null> {
  const [first = "-", ...rest] = args;
  if (!first.startsWith("-")) {
    const command = await loadCommand(program, first);
    if (command === null) throw new UsageError(unknownCommand(program, first));
    return { command, args: rest };
  }
  const { otherwise } = program;
  const usual = otherwise === undefined ? null : await loadCommand(program, otherwise);
  const isAlone = firstWord(args, usual?.options ?? {}) === undefined;
  if (isAlone && (usual !== null || args.length === 0)) return usual && { command: usual, args };
  // Only the options of all commands can tell which words are option values.
  const { commands } = await loadProgram(program);
  const all: Options = Object.assign({}, ...commands.map(({ options }) => options));
  const word = firstWord(args, all);
  const command = commands.find(({ name }) => name === word?.value);
  if (word !== undefined && command !== undefined)
    return { command, args: args.toSpliced(word.index, 1) };
  // After an unknown option it may be that option's value; the command reports the option.
  if (usual !== null) return { command: usual, args };
  if (word === undefined) return null;
  throw new UsageError(unknownCommand(program, word.value));
}

const firstWord = (args: readonly string[], options: Options): WordToken | undefined =>
  tokensOf(args, options).find((token) => token.kind === "word");

function unknownCommand({ commands }: Program, name: string): string {
  const names = Object.keys(commands);
  const [meant] = closestNames(name, names, 1);
  const hint = meant === undefined ? `there are ${names.join(", ")}` : `did you mean '${meant}'?`;
  return `unknown command '${name}'; ${hint}`;
}

/** For options that this command does not have: names the command that has them. */
export async function hintFor(program: Program, { command, args }: Choice): Promise<OptionHint> {
  const isKnown = (name: string): boolean =>
    Object.hasOwn(command.options, name) || everywhereNames.includes(name);
  const tokens = tokensOf(args, command.options);
  if (tokens.every((token) => token.kind === "word" || isKnown(token.name))) return () => null;
  const { commands } = await loadProgram(program);
  return (option) => {
    const owner = commands.find(({ options }) => Object.hasOwn(options, option));
    return owner === undefined ? null : `it is one of '${program.name} ${owner.name}'`;
  };
}
