import { flag, type Option, optionalAs, readWithDefault, wholeNumber } from "@proj/program";

const positive = { min: 1, max: 999_999_999 };

export const force: Option<boolean> = flag("measure although the machine is busy");

export const countOrNull = (about: string): Option<number | null> =>
  wholeNumber("N", about, positive);

export const count = (about: string, fallback: number): Option<number> =>
  readWithDefault(countOrNull(about), fallback);

export const windowOrNull: Option<number | null> = wholeNumber("MS", "length of a round", positive);

export const window = (fallback: number): Option<number> => readWithDefault(windowOrNull, fallback);

/** Null: not given. */
const listAs = <T>(
  about: string,
  read: (item: string) => T | undefined,
  expected: string,
): Option<readonly T[] | null> =>
  optionalAs("A,B", about, (text, refuse) => {
    const items = text.split(",").map(read);
    if (items.includes(undefined)) refuse(`must be ${expected}, not '${text}'`);
    return items.filter((item) => item !== undefined);
  });

/** `--name a,b`, each one of some words. */
export const listOf = <const T extends string>(
  about: string,
  words: readonly T[],
): Option<readonly T[] | null> => {
  const known = words.join(", ");
  return listAs(
    `${about}: ${known}`,
    (item) => words.find((word) => word === item),
    `some of ${known}`,
  );
};

/** `--name 1,16` */
export const numbers = (about: string): Option<readonly number[] | null> =>
  listAs(
    about,
    (item) => (/^[1-9]\d{0,5}$/.test(item) ? Number(item) : undefined),
    "whole numbers",
  );
