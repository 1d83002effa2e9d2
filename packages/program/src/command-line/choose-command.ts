import { closestNames } from "@proj/configuration";
import { UsageError } from "../program-error.ts";
import type { Command, OptionHint, Options } from "./command.ts";
import type { Program } from "./program.ts";
import { tokensOf } from "./tokens.ts";

export interface Choice {
  readonly command: Command;
  /** What is left for the command. */
  readonly args: readonly string[];
}

/**
 * The command is the first word that is neither an option nor the value of one.
 * @returns null: only options were given, and the program has no command for that
 * @throws UsageError there is no such command
 */
export function chooseCommand(program: Program, args: readonly string[]): Choice | null {
  const { commands, otherwise } = program;
  const all: Options = Object.assign({}, ...commands.map(({ options }) => options));
  const word = tokensOf(args, all).find((token) => token.kind === "word");
  if (word === undefined) return otherwise === undefined ? null : { command: otherwise, args };
  const command = commands.find(({ name }) => name === word.value);
  if (command !== undefined) return { command, args: args.toSpliced(word.index, 1) };
  // Behind an unknown option, it may be that option's value; the command says so.
  const first = args[0] ?? "";
  if (first.startsWith("-") && otherwise !== undefined) return { command: otherwise, args };
  throw new UsageError(unknownCommand(program, first.startsWith("-") ? word.value : first));
}

function unknownCommand({ commands }: Program, name: string): string {
  const names = commands.map((command) => command.name);
  const [meant] = closestNames(name, names, 1);
  const hint = meant === undefined ? `there are ${names.join(", ")}` : `did you mean '${meant}'?`;
  return `unknown command '${name}'; ${hint}`;
}

/** Names the command that an option belongs to, where it is another one. */
export const hintOf =
  ({ name, commands }: Program): OptionHint =>
  (option) => {
    const owner = commands.find(({ options }) => Object.hasOwn(options, option));
    return owner === undefined ? null : `it is one of '${name} ${owner.name}'`;
  };
