import { expect, test } from "vitest";
import { closestNames } from "../../src/configuration/index.ts";

const routes = ["small", "large-v2", "gpt-4.1", "gpt-4.1-mini"];

test.each([
  ["smal", ["small"]],
  ["SMALL", ["small"]],
  ["smlal", ["small"]],
  ["large_v2", ["large-v2"]],
  ["large", ["large-v2"]],
  ["gpt-4.1-min", ["gpt-4.1-mini", "gpt-4.1"]],
  ["gpt4.1", ["gpt-4.1", "gpt-4.1-mini"]],
  ["claude", []],
  ["", []],
])("%j is close to %j", (name, close) => {
  expect(closestNames(name, routes)).toEqual(close);
});

test("returns no more than requested", () => {
  expect(closestNames("gpt-4.1", routes, 1)).toEqual(["gpt-4.1"]);
});

test("does not compare a name that is too long", () => {
  expect(closestNames("x".repeat(10_000_000), ["x".repeat(200)])).toEqual([]);
});
