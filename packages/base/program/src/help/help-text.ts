import type { Command } from "../command-line/command.ts";
import { parserOf } from "../command-line/parser.ts";
import type { LoadedProgram, Program } from "../command-line/program.ts";
import { exitCodes } from "../exit-code.ts";

type Row = readonly [string, string];

/** One line that shows how to call a command. */
export function usageLine(program: Program, command: Command | null): string {
  const hasUsual = program.otherwise !== undefined;
  return `Usage: ${program.name} ${command === null ? usageOfProgram(hasUsual) : usageOf(program, command)}`;
}

const usageOfProgram = (hasUsual: boolean): string =>
  `${hasUsual ? "[COMMAND]" : "COMMAND"} [OPTIONS]`;

function usageOf(program: Program, { name, options, operand }: Command): string {
  const needed = Object.entries(options).flatMap(([key, { required, value }]) =>
    required ? [`--${key} ${value}`] : [],
  );
  return [name === program.otherwise ? `[${name}]` : name, operand.shown, ...needed, "[OPTIONS]"]
    .filter((part) => part !== "")
    .join(" ");
}

/** A program's complete help. @param calledAs what people type to call it */
export function programHelp(
  { name, about, commands, otherwise }: LoadedProgram,
  calledAs: string,
): string {
  const usage = usageOfProgram(otherwise !== null);
  const parser = parserOf(name, usage, otherwise?.options ?? {}).description(about);
  for (const command of commands) {
    const isUsual = command === otherwise;
    const summary = `${command.summary}${isUsual ? " (also runs if no command is given)" : ""}`;
    parser.addCommand(
      parserOf(`${command.name} ${command.operand.shown}`.trim(), "", {}).summary(summary),
    );
  }
  return [
    parser.helpInformation(),
    `'${calledAs} COMMAND --help' shows more about a command.\n`,
    section(
      "Exit codes",
      exitCodes("it ran, and the answer is no; each command says what that means"),
    ),
  ].join("\n");
}

/** The complete help of one command. */
export function helpText(program: Program, command: Command): string {
  const { summary, about = summary, operand, options, no = null } = command;
  const parser = parserOf(program.name, usageOf(program, command), options).description(about);
  if (operand.about !== "")
    parser.argument(`[${operand.shown.replace(/[[\]]| …/g, "")}]`, operand.about);
  const ofOptions = Object.entries(options).flatMap(([key, { variable }]): Row[] =>
    variable === null ? [] : [[variable, `replaces --${key}, and does not show in process lists`]],
  );
  const variables = [...ofOptions, ...Object.entries(command.variables ?? {})];
  return [
    parser.helpInformation(),
    ...(variables.length === 0 ? [] : [section("Environment", variables)]),
    section("Exit codes", exitCodes(no)),
  ].join("\n");
}

/** As commander shows its own lists. */
function section(title: string, rows: readonly Row[]): string {
  const helper = parserOf("", "", {}).createHelp();
  const width = Math.max(...rows.map(([term]) => term.length));
  const lines = rows.map(([term, about]) => helper.formatItem(term, width, about, helper));
  return `${title}:\n${lines.join("\n")}\n`;
}
