import type { Command, Options } from "../command-line/command.ts";
import type { LoadedProgram, Program } from "../command-line/program.ts";
import { exitCodeTable } from "../exit-code.ts";
import type { Option } from "../option.ts";
import { columns, wrap } from "./columns.ts";

const everywhere: readonly [string, string][] = [
  ["-h, --help", "this text"],
  ["-v, --version", "the version"],
];

/** One line that shows how to call a command. */
export function usageLine(program: Program, command: Command | null): string {
  if (command === null) return usageOf(program.name, program.otherwise !== undefined);
  const name = command.name === program.otherwise ? `[${command.name}]` : command.name;
  const needed = Object.entries(command.options).flatMap(([key, { required, value }]) =>
    required ? [`--${key} ${value}`] : [],
  );
  return ["Usage:", program.name, name, command.operand.shown, ...needed, "[OPTIONS]"]
    .filter((part) => part !== "")
    .join(" ");
}

/** A program's complete help. @param calledAs what people type to call it */
export function programHelp(program: LoadedProgram, calledAs: string): string {
  const usage = usageOf(program.name, program.otherwise !== null);
  return [`${usage}\n`, paragraphs(program.about), ...programParts(program, calledAs)].join("\n");
}

/** The complete help of one command. */
export function helpText(program: Program, command: Command): string {
  const about = command.about ?? command.summary;
  return [`${usageLine(program, command)}\n`, paragraphs(about), ...commandParts(command)].join(
    "\n",
  );
}

const paragraphs = (text: string): string =>
  text
    .split("\n\n")
    .map((paragraph) => `${wrap(paragraph).join("\n")}\n`)
    .join("\n");

const usageOf = (name: string, hasUsual: boolean): string =>
  `Usage: ${name} ${hasUsual ? "[COMMAND]" : "COMMAND"} [OPTIONS]`;

function programParts({ commands, otherwise }: LoadedProgram, calledAs: string): string[] {
  const rows = commands.map(
    (command) =>
      [
        [command.name, command.operand.shown].filter((part) => part !== "").join(" "),
        command === otherwise
          ? `${command.summary} (also runs if no command is given)`
          : command.summary,
      ] as const,
  );
  return [
    `Commands\n${columns(rows)}`,
    ...optionGroups(otherwise?.options ?? {}),
    `'${calledAs} COMMAND --help' shows more about a command.\n`,
    `Exit codes\n${exitCodeTable("it ran, and the answer is no; each command says what that means")}`,
  ];
}

/** Options under their headings. */
function optionGroups(options: Options): string[] {
  const groups = new Map<string, [string, string][]>();
  const rowsOf = (title: string): [string, string][] => {
    const rows = groups.get(title) ?? [];
    groups.set(title, rows);
    return rows;
  };
  for (const [key, option] of Object.entries(options))
    rowsOf(option.group ?? "Options").push([termOf(key, option), aboutOf(option)]);
  rowsOf("Options").push(...everywhere);
  return [...groups].map(([title, rows]) => `${title}\n${columns(rows)}`);
}

function commandParts({ operand, options, variables, no }: Command): string[] {
  const named: [string, string][] = [];
  for (const [key, { variable }] of Object.entries(options)) {
    if (variable !== null)
      named.push([variable, `replaces --${key}, and does not show in process lists`]);
  }
  named.push(...Object.entries(variables ?? {}));
  const arguments_: readonly (readonly [string, string])[] =
    operand.about === "" ? [] : [[operand.shown.replace(/[[\]]| …/g, ""), operand.about]];
  return [
    ...(arguments_.length === 0 ? [] : [columns(arguments_)]),
    ...optionGroups(options),
    ...(named.length === 0 ? [] : [`Environment\n${columns(named)}`]),
    `Exit codes\n${exitCodeTable(no ?? null)}`,
  ];
}

function termOf(key: string, { short, value }: Option<unknown>): string {
  const letter = short === null ? "    " : `-${short}, `;
  return `${letter}--${key}${value === null ? "" : ` ${value}`}`;
}

function aboutOf({ about, fallback, repeatable }: Option<unknown>): string {
  const more = [
    ...(fallback === null ? [] : [`default: ${fallback}`]),
    ...(repeatable ? ["repeatable"] : []),
  ];
  return more.length === 0 ? about : `${about} (${more.join("; ")})`;
}
