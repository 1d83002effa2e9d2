/** What completes an option's value or an operand: file names, some words, or nothing. */
export type Completion = "files" | readonly string[] | null;

/** Reports what is wrong with a value: `must be …`. */
export type Refuse = (problem: string) => void;

/** An option of a command. Its long name is its key in the command's `options`. */
export interface Option<T> {
  readonly about: string;
  /** One letter; null: none. */
  readonly short: string | null;
  /** Its value's name in help; null: a flag, without a value. */
  readonly value: string | null;
  /** The heading that it appears under in help; null: `Options`. */
  readonly group: string | null;
  /** The environment variable to read if the option is not given; null: none. */
  readonly variable: string | null;
  /** The default shown in help; null: none. */
  readonly fallback: string | null;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly completion: Completion;
  /** Called with the given values, in order; a flag gives one empty string. */
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

/** `--name`: true if it is given. */
export const flag = (about: string, settings: OptionSettings = {}): Option<boolean> => ({
  ...settingsOf(settings),
  about,
  value: null,
  fallback: null,
  required: false,
  repeatable: false,
  read: (given) => given.length > 0,
});

/** `--name VALUE`, which must be given. If it is repeated, the last one counts. */
export const required = (
  value: string,
  about: string,
  settings: OptionSettings = {},
): Option<string> => ({
  ...optional(value, about, settings),
  required: true,
  read: (given) => given.at(-1) ?? "",
});

/** `--name VALUE`; null if it is not given. If it is repeated, the last one counts. */
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

/** `--name VALUE`, which can be given any number of times. */
export const repeated = (
  value: string,
  about: string,
  settings: OptionSettings = {},
): Option<readonly string[]> => repeatedAs(value, about, (text) => text, settings);

/** `repeated`, with each value converted. @param read may refuse a value, and then returns undefined */
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

/** `optional`, with its value converted. @param read may refuse the value, and then returns undefined */
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

/** Adds a default to an option with a converted value. @param shown the default shown in help */
export const readWithDefault = <T>(
  option: Option<T | null>,
  fallback: T,
  shown: string = String(fallback),
): Option<T> => ({
  ...option,
  fallback: shown,
  read: (given, refuse) => option.read(given, refuse) ?? fallback,
});
