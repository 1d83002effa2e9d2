/**
 * A text that is safe to print: models and agents can write anything, including text that moves a terminal's cursor or
 * makes it type. Line breaks and tabs stay.
 */
export const printable = (text: string): string =>
  text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code <= 0xff ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
  });

/** Control characters, and characters that change the direction of writing. */
const hidden = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
