import { expect, test } from "vitest";
import { LineQueue } from "../../src/request-log/line-queue.ts";

function add(queue: LineQueue, line: string): boolean {
  return queue.add((target, at) => {
    if (at < target.length) target.write(line, at);
    return at + Buffer.byteLength(line);
  });
}

function takeAll(queue: LineQueue): string[] {
  const taken: string[] = [];
  while (queue.lines > 0) taken.push(queue.take().toString());
  return taken;
}

test("returns the oldest lines joined", () => {
  const queue = new LineQueue(10, 100, 100);
  for (const line of ["a\n", "bb\n", "é\n"]) expect(add(queue, line)).toBe(true);
  expect([queue.lines, queue.bytes]).toEqual([3, 8]);
  expect(queue.take().toString()).toBe("a\nbb\né\n");
  expect([queue.lines, queue.bytes, queue.take().length]).toEqual([0, 0, 0]);
});

test("returns whole lines, together no more than a chunk, but at least one", () => {
  const queue = new LineQueue(10, 100, 6);
  for (const line of ["aaaaaaaa\n", "bb\n", "cc\n", "d\n", "eeeeeeee\n", "f\n"]) add(queue, line);
  expect(takeAll(queue)).toEqual(["aaaaaaaa\n", "bb\ncc\n", "d\n", "eeeeeeee\n", "f\n"]);
});

test("keeps taken lines intact until the next are taken", () => {
  const queue = new LineQueue(10, 100, 6);
  for (let round = 0; round < 5; round++) {
    add(queue, `a${round}\n`);
    const taken = queue.take();
    for (const line of ["bb\n", "cc\n", "dd\n"]) add(queue, line);
    expect(taken.toString()).toBe(`a${round}\n`);
    expect(takeAll(queue)).toEqual(["bb\ncc\n", "dd\n"]);
  }
});

test("is bounded in lines", () => {
  const queue = new LineQueue(2, 100, 100);
  expect([add(queue, "a\n"), add(queue, "b\n"), add(queue, "c\n")]).toEqual([true, true, false]);
  expect(takeAll(queue)).toEqual(["a\nb\n"]);
  expect(add(queue, "c\n")).toBe(true);
  expect(takeAll(queue)).toEqual(["c\n"]);
});

test("is bounded in bytes, not in characters", () => {
  for (const chunkBytes of [4, 5, 100]) {
    const queue = new LineQueue(10, 8, chunkBytes);
    expect(add(queue, "éé\n")).toBe(true);
    expect(queue.hasRoom(3)).toBe(true);
    expect(add(queue, "éé\n")).toBe(false);
    expect(add(queue, "é\n")).toBe(true);
    expect(queue.bytes).toBe(8);
    expect(takeAll(queue).join("")).toBe("éé\né\n");
  }
});

test("a refused line leaves nothing behind", () => {
  const queue = new LineQueue(10, 8, 4);
  expect(add(queue, "more than eight\n")).toBe(false);
  expect([queue.lines, queue.bytes, queue.take().length]).toEqual([0, 0, 0]);
});

test("returns the number of dropped lines", () => {
  const queue = new LineQueue(10, 100, 2);
  add(queue, "a\n");
  add(queue, "b\n");
  expect(queue.clear()).toBe(2);
  expect([queue.lines, queue.bytes, queue.clear(), queue.take().length]).toEqual([0, 0, 0, 0]);
});
