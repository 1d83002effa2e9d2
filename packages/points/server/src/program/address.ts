import type { Program } from "./program.ts";

const addressForm = /^[A-Za-z0-9._-]{1,128}$/;
const patterns = new WeakMap<Program, RegExp>();

/** Whether this is a valid name of a token or pool and, without an `addressPattern`, of a user. */
export function isPlainAddress(text: string): boolean {
  return addressForm.test(text);
}

/** Whether this is a valid user address in the program. The API's literal `null` is not. */
export function isAddress(program: Program, text: string): boolean {
  if (!addressForm.test(text) || text === "null") return false;
  return program.addressPattern === undefined || pattern(program).test(text);
}

/** How an address is stored and looked up: unchanged, or in lower case if the program says so. */
export const folded = ({ addressCase }: Pick<Program, "addressCase">, address: string): string =>
  addressCase === "lower" ? address.toLowerCase() : address;

/** @throws SyntaxError `addressPattern` is not a regular expression */
function pattern(program: Program): RegExp {
  const known = patterns.get(program);
  if (known !== undefined) return known;
  const compiled = new RegExp(`^(?:${program.addressPattern})$`, "u");
  patterns.set(program, compiled);
  return compiled;
}
