import { chooseCommand } from "./command-line/choose-command.ts";
import type { Command, Context, Environment } from "./command-line/command.ts";
import { UnknownOptionError } from "./command-line/parser.ts";
import { loadProgram, type Program, versionOf } from "./command-line/program.ts";
import { exitCode } from "./exit-code.ts";
import { explainError } from "./explain-error.ts";
import { helpText, programHelp, usageLine } from "./help/help-text.ts";
import { UsageError } from "./program-error.ts";

export interface RunOptions extends Partial<Context> {
  /** @default the process's own */
  readonly environment?: Environment;
  /** Called with the chosen command before it runs. */
  onCommand?(command: Command): void;
}

/**
 * Runs a command line, and reports errors to people.
 * @param args the arguments after the program's name
 * @returns the exit code
 */
export async function runProgram(
  table: Program,
  args: readonly string[],
  { environment = process.env, onCommand, ...context }: RunOptions = {},
): Promise<number> {
  const program = withOwnCommands(table);
  const { signal = new AbortController().signal, urgent = new AbortController().signal } = context;
  const { calledAs = program.name } = context;
  let command: Command | null = null;
  try {
    // pnpm passes on the separator that keeps options from pnpm itself.
    const given = args[0] === "--" ? args.slice(1) : args;
    const end = given.indexOf("--");
    const has = (...words: readonly string[]): boolean =>
      given.slice(0, end === -1 ? undefined : end).some((arg) => words.includes(arg));
    if (has("-h", "--help") && given[0]?.startsWith("-"))
      return print(programHelp(await loadProgram(program), calledAs));
    if (has("-v", "--version")) return print(`${versionOf(program)}\n`);
    const choice = await chooseCommand(program, given);
    if (choice === null) {
      const names = Object.keys(program.commands).join(", ");
      throw new UsageError(`say what to do: ${names}`);
    }
    command = choice.command;
    if (has("-h", "--help")) return print(helpText(program, command));
    const run = command.run(choice.args, environment);
    onCommand?.(command);
    return await run({ signal, urgent, calledAs });
  } catch (error) {
    if (signal.aborted && !(error instanceof UsageError)) {
      console.error(`${program.name}: ${messageOf(signal.reason)}`);
      return exitCode.interrupted;
    }
    const explained = explainError(
      error instanceof UnknownOptionError ? await withOwner(program, error) : error,
    );
    for (const message of explained.messages) console.error(`${program.name}: ${message}`);
    if (error instanceof UsageError) console.error(`\n${usageHint(program, command, calledAs)}`);
    return explained.exitCode;
  }
}

/** Every program has `completion` and `help`. */
function withOwnCommands(table: Program): Program {
  const program: Program = {
    ...table,
    commands: {
      ...table.commands,
      completion: async () => {
        const { completionCommand } = await import("./completion/completion-command.ts");
        return completionCommand(program);
      },
      help: async () => {
        const { helpCommand } = await import("./help/help-command.ts");
        return helpCommand(program);
      },
    },
  };
  return program;
}

/** Names the command that has the option. */
async function withOwner(program: Program, error: UnknownOptionError): Promise<UsageError> {
  const { commands } = await loadProgram(program);
  const owner = commands.find(({ options }) => Object.hasOwn(options, error.option));
  if (owner === undefined) return error;
  const [message = ""] = error.message.split(";");
  return new UsageError(`${message}; it is one of '${program.name} ${owner.name}'`);
}

function usageHint(program: Program, command: Command | null, calledAs: string): string {
  const called = command === null ? calledAs : `${calledAs} ${command.name}`;
  return `${usageLine(program, command)}\n'${called} --help' shows more.`;
}

function print(text: string): number {
  process.stdout.write(text);
  return exitCode.done;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
