import { expect, test } from "vitest";
import { LineQueue } from "../../src/request-log/line-queue.ts";

test("gives the oldest lines back joined", () => {
  const queue = new LineQueue(10, 100);
  for (const line of ["a\n", "bb\n", "é\n"]) expect(queue.add(line)).toBe(true);
  expect([queue.lines, queue.bytes]).toEqual([3, 8]);
  expect(queue.take(100).toString()).toBe("a\nbb\né\n");
  expect([queue.lines, queue.bytes]).toEqual([0, 0]);
});

test("takes whole lines up to the size asked for, and always one", () => {
  const queue = new LineQueue(10, 100);
  for (const line of ["aaaa\n", "bb\n", "cc\n", "d\n"]) queue.add(line);
  expect(queue.take(2).toString()).toBe("aaaa\n");
  expect(queue.take(6).toString()).toBe("bb\ncc\n");
  expect(queue.take(6).toString()).toBe("d\n");
  expect(queue.take(6).length).toBe(0);
});

test("is bounded in lines", () => {
  const queue = new LineQueue(2, 100);
  expect([queue.add("a\n"), queue.add("b\n"), queue.add("c\n")]).toEqual([true, true, false]);
  queue.take(2);
  expect(queue.add("c\n")).toBe(true);
  expect(queue.take(100).toString()).toBe("b\nc\n");
});

test("is bounded in bytes, not in characters", () => {
  const queue = new LineQueue(10, 8);
  expect(queue.add("éé\n")).toBe(true);
  expect(queue.hasRoom(3)).toBe(true);
  expect(queue.add("éé\n")).toBe(false);
  expect(queue.add("é\n")).toBe(true);
  expect(queue.bytes).toBe(8);
});

test("says how many lines it drops", () => {
  const queue = new LineQueue(10, 100);
  queue.add("a\n");
  queue.add("b\n");
  expect(queue.clear()).toBe(2);
  expect([queue.lines, queue.bytes, queue.clear()]).toEqual([0, 0, 0]);
});
