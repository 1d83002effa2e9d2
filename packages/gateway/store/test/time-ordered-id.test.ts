import { expect, test } from "vitest";
import { createTimeOrderedId } from "../src/time-ordered-id.ts";

test("session ids are UUIDs of version 7 that increase and never repeat", () => {
  const ids = Array.from({ length: 20_000 }, createTimeOrderedId);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});
