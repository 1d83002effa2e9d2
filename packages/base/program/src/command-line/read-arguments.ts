import type { Operand } from "../operand.ts";
import type { Option } from "../option.ts";
import type { Environment } from "./command.ts";
import { type Options, parseArguments } from "./parser.ts";

export interface CommandParts {
  readonly name: string;
  readonly options: Options;
  readonly operand: Operand<unknown>;
}

export interface ReadArguments {
  readonly given: {
    readonly options: Readonly<Record<string, unknown>>;
    readonly operand: unknown;
  };
  readonly mistakes: string[];
}

/**
 * Reads a command's arguments, and collects everything that is wrong with their values.
 * @throws UsageError an option is unknown, or has no value or one too many
 */
export function readArguments(
  { name, options, operand }: CommandParts,
  args: readonly string[],
  environment: Environment,
): ReadArguments {
  const { texts, words } = parseArguments(options, args);
  const mistakes: string[] = [];
  const values: Record<string, unknown> = {};
  let isSure = true;
  for (const [key, option] of Object.entries(options)) {
    const given = texts.get(key) ?? [];
    const valid = given.filter((text) => {
      const mistake = valueMistake(key, option, text, args);
      if (mistake !== null) mistakes.push(mistake);
      return mistake === null;
    });
    // The word after it may be its value.
    if (valid.length < given.length) isSure = false;
    const used = given.length > 0 ? valid : fromEnvironment(option, environment);
    if (option.required && used.length === 0 && given.length === 0)
      mistakes.push(`${name} needs --${key} ${option.value}`);
    values[key] = option.read(used, (problem) => mistakes.push(`--${key} ${problem}`));
  }
  const refuse = (problem: string): void => {
    if (isSure) mistakes.push(`${name} ${problem}`);
  };
  return { given: { options: values, operand: operand.read(words, refuse) }, mistakes };
}

function valueMistake(
  key: string,
  { value }: Option<unknown>,
  text: string,
  args: readonly string[],
): string | null {
  if (value === null) return null;
  if (text === "") return `--${key} must not be empty`;
  const isInline = args.includes(`--${key}=${text}`);
  if (isInline || !/^-./.test(text) || /^-\d/.test(text)) return null;
  return `--${key} needs a value, ${value}; '${text}' looks like an option`;
}

const fromEnvironment = ({ variable }: Option<unknown>, environment: Environment): string[] => {
  const text = variable === null ? undefined : environment[variable];
  return text === undefined || text === "" ? [] : [text];
};
