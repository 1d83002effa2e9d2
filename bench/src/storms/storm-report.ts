import { verdict } from "../terminal/progress.ts";

/** Which checks of a storm held, and its figures. */
export class StormReport {
  readonly #checks: { readonly name: string; readonly failure: string | null }[] = [];
  readonly #figures: string[] = [];

  /** @param failures counterexamples, if any; the first few are shown */
  none(name: string, failures: readonly unknown[]): void {
    const [first] = failures;
    const failure =
      failures.length === 0 ? null : `${failures.length}, the first ${JSON.stringify(first)}`;
    this.#checks.push({ name, failure });
  }

  equal(name: string, actual: unknown, expected: unknown): void {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    this.#checks.push({ name, failure: is === should ? null : `${is} instead of ${should}` });
  }

  figure(name: string, value: number | string): void {
    this.#figures.push(`${name} ${typeof value === "number" ? value.toLocaleString("en") : value}`);
  }

  get failed(): number {
    return this.#checks.filter(({ failure }) => failure !== null).length;
  }

  text(storm: string, seconds: number): string {
    const all = this.#checks.length;
    const lines = [
      `${storm}: ${all - this.failed} of ${all} checks held, ${seconds.toFixed(0)} s`,
      `  ${this.#figures.join(", ")}`,
      ...this.#checks.map(({ name, failure }) =>
        failure === null ? `  ${verdict(true)} ${name}` : `  ${verdict(false)} ${name}: ${failure}`,
      ),
    ];
    return lines.join("\n");
  }
}
