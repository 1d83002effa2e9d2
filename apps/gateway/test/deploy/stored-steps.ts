import { expect } from "vitest";
import type { GotStep } from "./agent.ts";
import type { StoredRow } from "./site.ts";

export const keyOf = ({ session_id, step_id }: Pick<GotStep, "session_id" | "step_id">): string =>
  `${session_id} step ${step_id}`;

/** No number repeats, and each step that a caller received in full is stored under its number, with its answer. */
export function expectStoredOnce(got: readonly GotStep[], rows: readonly StoredRow[]): void {
  expect(new Set(rows.map(keyOf)).size).toBe(rows.length);
  expect(new Set(got.map(keyOf)).size).toBe(got.length);
  const stored = new Map(rows.map((row) => [keyOf(row), row]));
  const missing = got.filter((step) => {
    const row = stored.get(keyOf(step));
    return row?.status_code !== 200 || row.answer_id !== step.answer_id;
  });
  expect(missing).toEqual([]);
}

/** Missing numbers below the largest stored one. */
export function missingNumbers(rows: readonly StoredRow[]): readonly number[] {
  const numbers = new Set(rows.map(({ step_id }) => step_id));
  const largest = Math.max(0, ...numbers);
  return Array.from({ length: largest }, (_, index) => index + 1).filter((n) => !numbers.has(n));
}
