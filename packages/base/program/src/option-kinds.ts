import { flag, type Option, type OptionSettings, optional, optionalAs } from "./option.ts";

/** `--name VALUE`, where VALUE is one of some words. */
export const oneOf = <const W extends string>(
  value: string,
  words: readonly W[],
  about: string,
  settings: OptionSettings = {},
): Option<W | null> =>
  optionalAs(
    value,
    about,
    (text, refuse) => {
      const word = words.find((known) => known === text);
      if (word === undefined) refuse(`must be ${listOf(words)}, not '${text}'`);
      return word;
    },
    { completion: words, ...settings },
  );

const listOf = (words: readonly string[]): string =>
  words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}`;

export interface NumberSettings extends OptionSettings {
  readonly min: number;
  readonly max: number;
}

/** `--name N`, a whole number within bounds. */
export const wholeNumber = (
  value: string,
  about: string,
  { min, max, ...settings }: NumberSettings,
): Option<number | null> =>
  optionalAs(
    value,
    about,
    (text, refuse) => {
      const number = /^\d{1,9}$/.test(text) ? Number(text) : -1;
      if (number >= min && number <= max) return number;
      refuse(`must be a whole number from ${min} to ${max}, not '${text}'`);
      return undefined;
    },
    settings,
  );

/** Node's timers fire immediately if they are set for longer. */
const maxSeconds = 2_000_000;

/** `--name S`: seconds, with fractions allowed, converted to milliseconds. */
export const seconds = (about: string, settings: OptionSettings = {}): Option<number | null> =>
  optionalAs(
    "S",
    about,
    (text, refuse) => {
      const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
      if (number > 0 && number <= maxSeconds) return number * 1000;
      refuse(`must be a number of seconds up to ${maxSeconds}, not '${text}'`);
      return undefined;
    },
    settings,
  );

/** `-c, --config FILE` */
export const configOption = (about: string): Option<string | null> =>
  optional("FILE", about, { short: "c", completion: "files" });

/** `-p, --port PORT` */
export const portOption = (about: string): Option<number | null> =>
  wholeNumber("PORT", `${about}; 0: any free port`, { short: "p", min: 0, max: 65_535 });

/** `--json` */
export const jsonOption = (about: string): Option<boolean> => flag(about);
