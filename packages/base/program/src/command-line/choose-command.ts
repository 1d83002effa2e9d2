import { closestNames } from "../configuration/messages.ts";
import { UsageError } from "../program-error.ts";
import type { Command } from "./command.ts";
import { type Options, parserOf } from "./parser.ts";
import { loadCommand, loadProgram, type Program } from "./program.ts";

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
  const ofUsual = lookAt(args, usual?.options ?? {});
  if (ofUsual.word === -1 && ofUsual.isKnown) return usual && { command: usual, args };
  // Only the options of all commands can tell which words are option values.
  const { commands } = await loadProgram(program);
  const { word } = lookAt(args, Object.assign({}, ...commands.map(({ options }) => options)));
  const command = commands.find(({ name }) => name === args[word]);
  if (command !== undefined) return { command, args: args.toSpliced(word, 1) };
  // After an unknown option it may be that option's value; the command reports the option.
  if (usual !== null) return { command: usual, args };
  if (word === -1) return null;
  throw new UsageError(unknownCommand(program, `${args[word]}`));
}

/** The index of the first word that is not an option's value, and whether all options are known. */
function lookAt(
  args: readonly string[],
  options: Options,
): { readonly word: number; readonly isKnown: boolean } {
  const parse = (some: readonly string[]) => {
    try {
      return parserOf("", "", options).parseOptions([...some]);
    } catch {
      // The last option has no value.
      return { operands: [], unknown: [] };
    }
  };
  const word = args.findIndex((_, index) => parse(args.slice(0, index + 1)).operands.length > 0);
  return { word, isKnown: parse(args).unknown.length === 0 };
}

function unknownCommand({ commands }: Program, name: string): string {
  const names = Object.keys(commands);
  const [meant] = closestNames(name, names, 1);
  const hint = meant === undefined ? `there are ${names.join(", ")}` : `did you mean '${meant}'?`;
  return `unknown command '${name}'; ${hint}`;
}
