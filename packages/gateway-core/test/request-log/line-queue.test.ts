import { expect, test } from "vitest";
import { LineQueue } from "../../src/request-log/line-queue.ts";

function takeAll(queue: LineQueue): string[] {
  const taken: string[] = [];
  while (queue.lines > 0) taken.push(queue.take().toString());
  return taken;
}

test("returns the oldest lines joined", () => {
  const queue = new LineQueue(10, 100, 100);
  for (const line of ["a\n", "bb\n", "é\n"]) expect(queue.add(line)).toBe(true);
  expect([queue.lines, queue.bytes]).toEqual([3, 8]);
  expect(queue.take().toString()).toBe("a\nbb\né\n");
  expect([queue.lines, queue.bytes, queue.take().length]).toEqual([0, 0, 0]);
});

test("returns whole lines, together no more than a chunk, but at least one", () => {
  const queue = new LineQueue(10, 100, 6);
  for (const line of ["aaaaaaaa\n", "bb\n", "cc\n", "d\n", "eeeeeeee\n", "f\n"]) queue.add(line);
  expect(takeAll(queue)).toEqual(["aaaaaaaa\n", "bb\ncc\n", "d\n", "eeeeeeee\n", "f\n"]);
});

test("keeps taken lines intact until the next are taken", () => {
  const queue = new LineQueue(10, 100, 6);
  for (let round = 0; round < 5; round++) {
    queue.add(`a${round}\n`);
    const taken = queue.take();
    for (const line of ["bb\n", "cc\n", "dd\n"]) queue.add(line);
    expect(taken.toString()).toBe(`a${round}\n`);
    expect(takeAll(queue)).toEqual(["bb\ncc\n", "dd\n"]);
  }
});

test("is bounded in lines", () => {
  const queue = new LineQueue(2, 100, 100);
  expect([queue.add("a\n"), queue.add("b\n"), queue.add("c\n")]).toEqual([true, true, false]);
  expect(takeAll(queue)).toEqual(["a\nb\n"]);
  expect(queue.add("c\n")).toBe(true);
  expect(takeAll(queue)).toEqual(["c\n"]);
});

test("is bounded in bytes, not in characters", () => {
  for (const chunkBytes of [4, 5, 100]) {
    const queue = new LineQueue(10, 8, chunkBytes);
    expect(queue.add("éé\n")).toBe(true);
    expect(queue.hasRoom(3)).toBe(true);
    expect(queue.add("éé\n")).toBe(false);
    expect(queue.add("é\n")).toBe(true);
    expect(queue.bytes).toBe(8);
    expect(takeAll(queue).join("")).toBe("éé\né\n");
  }
});

test("a refused line leaves nothing behind", () => {
  const queue = new LineQueue(10, 8, 4);
  expect(queue.add("more than eight\n")).toBe(false);
  expect([queue.lines, queue.bytes, queue.take().length]).toEqual([0, 0, 0]);
});

test("returns the number of dropped lines", () => {
  const queue = new LineQueue(10, 100, 2);
  queue.add("a\n");
  queue.add("b\n");
  expect(queue.clear()).toBe(2);
  expect([queue.lines, queue.bytes, queue.clear(), queue.take().length]).toEqual([0, 0, 0, 0]);
});
