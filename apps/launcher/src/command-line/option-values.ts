import { UsageError } from "./usage-error.ts";

export const defaultDbPath = "sqlite://data/gateway.db";

/** Reads the values of options, and remembers all that is wrong with them. */
export class OptionValues {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #problems: string[] = [];

  /** @param values of options by their names, strings or true */
  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  text(name: string): string | null {
    const value = this.#values[name];
    if (value === "") this.refuse(`--${name} may not be empty`);
    return typeof value === "string" ? value : null;
  }

  isSet(name: string): boolean {
    return this.#values[name] === true;
  }

  count(name: string, fallback: number, most: number): number {
    const text = this.text(name);
    if (text === null) return fallback;
    const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (count >= 1 && count <= most) return count;
    this.refuse(`--${name} must be a whole number from 1 to ${most}, not '${text}'`);
    return fallback;
  }

  /** @returns milliseconds */
  seconds(name: string, fallback: number): number {
    const text = this.text(name);
    // Longer than that, a timer would ring at once.
    const most = 2_000_000;
    const seconds = text === null ? fallback : /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
    if (seconds > 0 && seconds <= most) return seconds * 1000;
    this.refuse(`--${name} must be a number of seconds up to ${most}, not '${text}'`);
    return fallback * 1000;
  }

  refuse(problem: string): void {
    this.#problems.push(problem);
  }

  /** @throws UsageError something was wrong */
  finish(): void {
    const [first, ...others] = this.#problems;
    if (first === undefined) return;
    const isOne = others.length === 0;
    throw new UsageError(
      isOne ? first : ["the command line is wrong:", ...this.#problems].join("\n  "),
    );
  }
}
