import { expect, test } from "vitest";
import { align, isSame } from "../src/page/compare/align.ts";

/** Tools by their first letter, arguments by the rest. */
const actions = (...keys: string[]) => keys.map((key) => ({ key, tool: key.slice(0, 1) }));
const told = (...sequences: string[][]): string[] =>
  align(sequences.map((keys) => actions(...keys))).map((row) =>
    row.map((cell) => cell?.key ?? "-").join(" "),
  );

test("equal actions are side by side, and actions that only some did have their own rows", () => {
  expect(told(["a1", "b1", "c1"], ["a1", "x1", "b1", "c1"], ["a1", "c1"])).toEqual([
    "a1 a1 a1",
    "- x1 -",
    "b1 b1 -",
    "c1 c1 c1",
  ]);
});

test("calls of the same tool are side by side too, unless that separates equal actions", () => {
  expect(told(["a1", "b1", "c1"], ["a1", "b2", "c1"])).toEqual(["a1 a1", "b1 b2", "c1 c1"]);
  expect(told(["a1", "b1"], ["b1", "a1"])).toEqual(["a1 -", "b1 b1", "- a1"]);
});

test("actions that the first rollout lacks are aligned with each other", () => {
  expect(told(["a1", "c1"], ["a1", "x1", "y1", "c1"], ["a1", "y1", "c1"])).toEqual([
    "a1 a1 a1",
    "- x1 -",
    "- y1 y1",
    "c1 c1 c1",
  ]);
});

test("a row is the same only if all rollouts do the same", () => {
  const rows = align([actions("a1", "b1"), actions("a1", "b2"), actions("a1")]);
  expect(rows.map(isSame)).toEqual([true, false]);
  expect(told([], ["a1"], [])).toEqual(["- a1 -"]);
  expect(told()).toEqual([]);
});
