import { afterAll, beforeAll, expect } from "vitest";

/** Fails the file if the process emitted a warning, such as too many listeners on one emitter. */
export function expectNoWarnings(): void {
  const warnings: Error[] = [];
  const collect = (warning: Error): void => void warnings.push(warning);
  beforeAll(() => void process.on("warning", collect));
  afterAll(() => {
    process.off("warning", collect);
    expect(warnings).toEqual([]);
  });
}
