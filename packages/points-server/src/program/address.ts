import type { Program } from "./program.ts";

const addressForm = /^[A-Za-z0-9._-]{1,128}$/;
const patterns = new WeakMap<Program, RegExp>();

/** Whether tokens, pools and, where the program asks no more, users may be called this. */
export function isPlainAddress(text: string): boolean {
  return addressForm.test(text);
}

/** Whether users' addresses of the program may look like this. The literal `null` of the wire is none. */
export function isAddress(program: Program, text: string): boolean {
  if (!addressForm.test(text) || text === "null") return false;
  return program.addressPattern === undefined || pattern(program).test(text);
}

/** How an address is stored and looked up: as it is, or in lower case where the program says so. */
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
