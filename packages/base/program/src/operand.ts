import type { Completion } from "./option.ts";

/** A command's arguments besides its options. */
export interface Operand<T> {
  /** Its form in help: `FILE`, `[FILE]`, `[MODEL …]`. */
  readonly shown: string;
  readonly about: string;
  readonly completion: Completion;
  /** @param refuse reports what is wrong: `needs FILE` */
  read(given: readonly string[], refuse: (problem: string) => void): T;
}

/** Exactly one operand. */
export const oneOperand = (
  name: string,
  about: string,
  completion: Completion = null,
): Operand<string> => ({
  shown: name,
  about,
  completion,
  read(given, refuse) {
    const [operand = "", ...others] = given;
    if (given.length === 0) refuse(`needs ${name}`);
    if (others.length > 0) refuse(`takes one ${name}, not also '${others[0]}'`);
    return operand;
  },
});

/** One operand, or none: null. */
export const optionalOperand = (
  name: string,
  about: string,
  completion: Completion = null,
): Operand<string | null> => ({
  shown: `[${name}]`,
  about,
  completion,
  read: ([operand = null, ...others], refuse) => {
    if (others.length > 0) refuse(`takes one ${name}, not also '${others[0]}'`);
    return operand;
  },
});

/** Any number of operands. */
export const operands = (
  name: string,
  about: string,
  completion: Completion = null,
): Operand<readonly string[]> => ({
  shown: `[${name} …]`,
  about,
  completion,
  read: (given) => given,
});

/** For commands that take only options. */
export const noOperand: Operand<null> = {
  shown: "",
  about: "",
  completion: null,
  read([operand], refuse) {
    if (operand !== undefined) refuse(`takes no argument, but was given '${operand}'`);
    return null;
  },
};
