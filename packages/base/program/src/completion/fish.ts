import type { Command } from "../command-line/command.ts";
import type { LoadedProgram } from "../command-line/program.ts";
import type { Completion } from "../option.ts";

/** Commands for fish, one `complete` for each thing that can be typed. */
export function fishCompletion({ name, commands, otherwise }: LoadedProgram): string {
  const names = commands.map((command) => command.name).join(" ");
  const isFirst = `not __fish_seen_subcommand_from ${names}`;
  const lines = [
    `complete -c ${name} -f`,
    `complete -c ${name} -s h -l help -d 'how to use it'`,
    `complete -c ${name} -n ${quote(isFirst)} -s v -l version -d 'the version'`,
    ...commands.map(
      (command) =>
        `complete -c ${name} -n ${quote(isFirst)} -a ${command.name} -d ${quote(command.summary)}`,
    ),
    ...commands.flatMap((command) => {
      const isIts = `__fish_seen_subcommand_from ${command.name}`;
      const when = command === otherwise ? `${isIts}; or ${isFirst}` : isIts;
      return linesOf(command, `complete -c ${name} -n ${quote(when)}`);
    }),
  ];
  return `${lines.join("\n")}\n`;
}

function linesOf({ operand, options }: Command, start: string): string[] {
  const ofOperand = wordsOf(operand.completion);
  return [
    ...(ofOperand === "" ? [] : [`${start}${ofOperand}`]),
    ...Object.entries(options).map(([key, { short, value, about, completion }]) => {
      const letter = short === null ? "" : ` -s ${short}`;
      const words = value === null ? "" : ` -r${wordsOf(completion)}`;
      return `${start}${letter} -l ${key}${words} -d ${quote(about)}`;
    }),
  ];
}

const wordsOf = (completion: Completion): string =>
  completion === null ? "" : completion === "files" ? " -F" : ` -a ${quote(completion.join(" "))}`;

const quote = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
