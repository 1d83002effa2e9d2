/** What an option, or an operand, is completed with: names of files, some words, or nothing. */
export type Completion = "files" | readonly string[] | null;

/** Tells what is wrong with a value: `must be …`. */
export type Refuse = (problem: string) => void;

/** An option of a command. Its long name is its key in the command's `options`. */
export interface Option<T> {
  readonly about: string;
  /** One letter; null: none. */
  readonly short: string | null;
  /** What help calls its value; null: a flag, without a value. */
  readonly value: string | null;
  /** The heading in help under which it is; null: `Options`. */
  readonly group: string | null;
  /** The environment variable that is read where the option is not given; null: none. */
  readonly variable: string | null;
  /** The default as help shows it; null: none. */
  readonly fallback: string | null;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly completion: Completion;
  /** The values given, in order; of a flag, one empty text. */
  read(given: readonly string[], refuse: Refuse): T;
}

export interface OptionSettings {
  readonly short?: string;
  readonly group?: string;
  readonly variable?: string;
  readonly completion?: Completion;
}

const settingsOf = ({ short, group, variable, completion }: OptionSettings) => ({
  short: short ?? null,
  group: group ?? null,
  variable: variable ?? null,
  completion: completion ?? null,
});

/** `--name`: true where it is given. */
export const flag = (about: string, settings: OptionSettings = {}): Option<boolean> => ({
  ...settingsOf(settings),
  about,
  value: null,
  fallback: null,
  required: false,
  repeatable: false,
  read: (given) => given.length > 0,
});

/** `--name VALUE`, which must be given. The last one counts. */
export const required = (
  value: string,
  about: string,
  settings: OptionSettings = {},
): Option<string> => ({
  ...optional(value, about, settings),
  required: true,
  read: (given) => given.at(-1) ?? "",
});

/** `--name VALUE`; null where it is not given. The last one counts. */
export const optional = (
  value: string,
  about: string,
  settings: OptionSettings = {},
): Option<string | null> => optionalAs(value, about, (text) => text, settings);

/** `--name VALUE` with a default. */
export const withDefault = (
  value: string,
  about: string,
  fallback: string,
  settings: OptionSettings = {},
): Option<string> => ({
  ...optional(value, about, settings),
  fallback,
  read: (given) => given.at(-1) ?? fallback,
});

/** `--name VALUE`, as often as is wanted. */
export const repeated = (
  value: string,
  about: string,
  settings: OptionSettings = {},
): Option<readonly string[]> => repeatedAs(value, about, (text) => text, settings);

/** `repeated`, each value read. @param read may refuse, and then gives undefined */
export const repeatedAs = <T>(
  value: string,
  about: string,
  read: (text: string, refuse: Refuse) => T | undefined,
  settings: OptionSettings = {},
): Option<readonly T[]> => ({
  ...optional(value, about, settings),
  repeatable: true,
  read: (given, refuse) =>
    given.map((text) => read(text, refuse)).filter((value) => value !== undefined),
});

/** `optional`, its value read. @param read may refuse, and then gives undefined */
export const optionalAs = <T>(
  value: string,
  about: string,
  read: (text: string, refuse: Refuse) => T | undefined,
  settings: OptionSettings = {},
): Option<T | null> => ({
  ...settingsOf(settings),
  about,
  value,
  fallback: null,
  required: false,
  repeatable: false,
  read(given, refuse) {
    const text = given.at(-1);
    return text === undefined ? null : (read(text, refuse) ?? null);
  },
});

/** An option whose value is read, with a default. @param shown the default as help shows it */
export const readWithDefault = <T>(
  option: Option<T | null>,
  fallback: T,
  shown: string = String(fallback),
): Option<T> => ({
  ...option,
  fallback: shown,
  read: (given, refuse) => option.read(given, refuse) ?? fallback,
});
