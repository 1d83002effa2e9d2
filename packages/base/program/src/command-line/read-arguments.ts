import { closestNames } from "@proj/configuration/messages";
import type { Operand } from "../operand.ts";
import type { Option } from "../option.ts";
import type { Environment, OptionHint, Options } from "./command.ts";
import { everywhereNames, type OptionToken, tokensOf } from "./tokens.ts";

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

/** Reads a command's arguments as far as possible, and collects everything that is wrong with them. */
export function readArguments(
  { name, options, operand }: CommandParts,
  args: readonly string[],
  environment: Environment,
  hint: OptionHint,
): ReadArguments {
  const mistakes: string[] = [];
  const given = new Map<string, string[]>();
  const operands: string[] = [];
  let isSure = true;
  for (const token of tokensOf(args, options)) {
    if (token.kind === "word") {
      operands.push(token.value);
      continue;
    }
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (everywhereNames.includes(token.name)) {
      mistakes.push(`${token.rawName} takes no value`);
      continue;
    }
    if (option === undefined) {
      // The next word may be its value.
      isSure = false;
      mistakes.push(unknownOption(token.rawName, options, hint(token.name)));
      continue;
    }
    const values = given.get(token.name) ?? [];
    given.set(token.name, values);
    const mistake = valueMistake(option, token);
    if (mistake === null) values.push(token.value ?? "");
    else {
      isSure = false;
      mistakes.push(mistake);
    }
  }
  const values: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(options)) {
    const texts = given.get(key) ?? fromEnvironment(option, environment);
    if (option.required && texts.length === 0 && !given.has(key))
      mistakes.push(`${name} needs --${key} ${option.value}`);
    values[key] = option.read(texts, (problem) => mistakes.push(`--${key} ${problem}`));
  }
  const refuse = (problem: string): void => {
    if (isSure) mistakes.push(`${name} ${problem}`);
  };
  return { given: { options: values, operand: operand.read(operands, refuse) }, mistakes };
}

function unknownOption(rawName: string, options: Options, hint: string | null): string {
  const names = [...Object.keys(options), ...everywhereNames].map((name) => `--${name}`);
  const [meant] = rawName.startsWith("--") ? closestNames(rawName, names, 1) : [];
  const more = hint ?? (meant === undefined ? null : `did you mean '${meant}'?`);
  return `unknown option '${rawName}'${more === null ? "" : `; ${more}`}`;
}

function valueMistake(
  { value }: Option<unknown>,
  { rawName, value: text, isInline }: OptionToken,
): string | null {
  if (value === null) return text === undefined ? null : `${rawName} takes no value`;
  if (text === undefined) return `${rawName} needs a value, ${value}`;
  if (text === "") return `${rawName} must not be empty`;
  if (isInline || !/^-./.test(text) || /^-\d/.test(text)) return null;
  return `${rawName} needs a value, ${value}; '${text}' looks like an option`;
}

const fromEnvironment = ({ variable }: Option<unknown>, environment: Environment): string[] => {
  const text = variable === null ? undefined : environment[variable];
  return text === undefined || text === "" ? [] : [text];
};
