import { noOperand, type Operand } from "../operand.ts";
import type { Option } from "../option.ts";
import { UsageError } from "../program-error.ts";
import type { Options } from "./parser.ts";
import { readArguments } from "./read-arguments.ts";

export type { Options } from "./parser.ts";

/** The values that a command line gave to a command. */
export interface Given<O extends Options, T> {
  readonly options: { readonly [K in keyof O]: O[K] extends Option<infer V> ? V : never };
  readonly operand: T;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A command's surroundings. */
export interface Context {
  /** Aborted by the first SIGINT or SIGTERM, whose name is its reason's `signal`: end in an orderly way. */
  readonly signal: AbortSignal;
  /** Aborted by the second one; only for a command with `endsItself`. */
  readonly urgent: AbortSignal;
  /** How to call this program again: its name or, for example, `npm run gateway --`. */
  readonly calledAs: string;
}

interface CommandText {
  readonly name: string;
  /** Its line in the program's help. */
  readonly summary: string;
  /** The introduction of its own help; @default the summary */
  readonly about?: string;
  /** Environment variables without an option, each with its meaning. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What exit code 1 means; @default the command never ends with it */
  readonly no?: string;
  /** @default false: a second signal ends the process at once */
  readonly endsItself?: boolean;
}

export interface CommandDefinition<O extends Options, T> extends CommandText {
  /** @default none */
  readonly operand?: Operand<T>;
  readonly options: O;
  /** Reports options that are valid by themselves but not together. */
  check?(given: Given<O, T>, refuse: (problem: string) => void): void;
  /** @returns the exit code */
  run(given: Given<O, T>, context: Context): Promise<number>;
}

/** A command of a program. `G` is the type that its arguments are read as. */
export interface Command<G = unknown> extends CommandText {
  readonly operand: Operand<unknown>;
  readonly options: Options;
  /** @throws UsageError lists everything that is wrong with the values */
  read(args: readonly string[], environment: Environment): G;
  /** @throws UsageError, and whatever error its work ends with */
  run(given: readonly string[], environment: Environment): Runnable;
}

/** A command with valid arguments. */
export type Runnable = (context: Context) => Promise<number>;

export function defineCommand<const O extends Options, T = null>(
  definition: CommandDefinition<O, T>,
): Command<Given<O, T>> {
  const operand: Operand<unknown> = definition.operand ?? noOperand;
  const read = (args: readonly string[], environment: Environment): Given<O, T> => {
    const parts = { name: definition.name, options: definition.options, operand };
    const { given, mistakes } = readArguments(parts, args, environment);
    // Rules between options are reported along with the options' own mistakes: the values have the right types.
    const typed = given as Given<O, T>;
    definition.check?.(typed, (problem) => mistakes.push(problem));
    const [first, ...others] = mistakes;
    if (first === undefined) return typed;
    throw new UsageError(
      others.length === 0 ? first : ["the command line is wrong:", ...mistakes].join("\n  "),
    );
  };
  return {
    ...definition,
    operand,
    read,
    run(args, environment) {
      const given = read(args, environment);
      return (context) => definition.run(given, context);
    },
  };
}
