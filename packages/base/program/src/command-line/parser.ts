import { CommanderError, Command as Parser, Option as ParserOption } from "commander";
import type { Option } from "../option.ts";
import { UsageError } from "../program-error.ts";

export type Options = Readonly<Record<string, Option<unknown>>>;

/** The command line has an option that its command does not have. */
export class UnknownOptionError extends UsageError {
  /** Without its dashes. */
  readonly option: string;

  constructor(option: string, message: string) {
    super(message);
    this.option = option;
  }
}

/** A program or one of its commands, as commander parses it and shows its help. */
export function parserOf(name: string, usage: string, options: Options): Parser {
  const parser = new Parser(name)
    .usage(usage)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .configureHelp({ helpWidth: 80, subcommandTerm: (command) => command.name() })
    .helpCommand(false)
    .helpOption("-h, --help", "this text");
  for (const [key, option] of Object.entries(options)) parser.addOption(parserOption(key, option));
  return parser.version("", "-v, --version", "the version");
}

function parserOption(key: string, option: Option<unknown>): ParserOption {
  const { short, value, about, fallback, repeatable, group } = option;
  const letter = short === null ? "" : `-${short}, `;
  const more = [
    ...(fallback === null ? [] : [`default: ${fallback}`]),
    ...(repeatable ? ["repeatable"] : []),
  ].join("; ");
  const made = new ParserOption(
    `${letter}--${key}${value === null ? "" : ` <${value}>`}`,
    more === "" ? about : `${about} (${more})`,
  );
  if (group !== null) made.helpGroup(`${group}:`);
  return value === null
    ? made
    : made.argParser((text, before: readonly string[] = []) => [...before, text]);
}

/**
 * Each option's values as text, in order, and the words.
 * @throws UsageError an option is unknown, or has no value or one too many
 */
export function parseArguments(
  options: Options,
  args: readonly string[],
): { readonly texts: ReadonlyMap<string, readonly string[]>; readonly words: readonly string[] } {
  const parser = parserOf("", "", options).argument("[words...]");
  try {
    parser.parse(args, { from: "user" });
  } catch (error) {
    throw error instanceof CommanderError ? explain(error, options) : error;
  }
  const texts = parser.options.map((option): [string, readonly string[]] => {
    const value: unknown = parser.getOptionValue(option.attributeName());
    return [option.name(), Array.isArray(value) ? value : value === undefined ? [] : [""]];
  });
  return { texts: new Map(texts), words: parser.args };
}

function explain({ message }: CommanderError, options: Options): UsageError {
  const [, missing, value] =
    /^error: option '(?:-\w, )?--([\w-]+) <(.*)>' argument missing$/.exec(message) ?? [];
  if (missing !== undefined) return new UsageError(`--${missing} needs a value, ${value}`);
  const [, typed = message] = /unknown option '(.*)'/.exec(message) ?? [];
  const [dashed = typed] = typed.split("=");
  const name = dashed.replace(/^--?/, "");
  if (typed !== dashed && (Object.hasOwn(options, name) || /^(?:help|version)$/.test(name)))
    return new UsageError(`${dashed} takes no value`);
  const [, meant] = /Did you mean (?:one of )?(--[\w-]+)/.exec(message) ?? [];
  const hint = meant === undefined ? "" : `; did you mean '${meant}'?`;
  return new UnknownOptionError(name, `unknown option '${dashed}'${hint}`);
}
