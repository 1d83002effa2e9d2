import { resolve } from "node:path";

export class UsageError extends Error {}

/** npm changes the working directory to the workspace's root; file names are relative to the user's folder. */
export function fromCaller(file: string): string {
  return resolve(process.env.INIT_CWD ?? ".", file);
}

export function list(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(",").filter((item) => item !== "");
}

export function member<T extends string>(known: readonly T[], name: string, option: string): T {
  const found = known.find((item) => item === name);
  if (found === undefined)
    throw new UsageError(`${option}: no "${name}"; there are ${known.join(", ")}`);
  return found;
}

export function wholeNumber(text: string, option: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) {
    throw new UsageError(`${option}: "${text}" is not a whole number above 0`);
  }
  return number;
}
