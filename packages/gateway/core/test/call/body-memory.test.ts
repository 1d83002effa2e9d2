import { expect, test } from "vitest";
import { BodyMemory, freeBytes } from "../../src/call/body-memory.ts";

test("a body is freed when its last user is done, and not before", () => {
  const bytes = Buffer.allocUnsafeSlow(20_000);
  const memory = new BodyMemory(bytes);
  memory.hold();
  memory.hold();
  memory.release();
  memory.release();
  expect(bytes.length).toBe(20_000);
  memory.release();
  expect(bytes.length).toBe(0);
  expect(memory.size).toBe(20_000);
});

test("a body in memory that others use, too, is left to V8", () => {
  const block = Buffer.allocUnsafeSlow(60_000).fill("x");
  const memory = new BodyMemory(block.subarray(0, 20_000));
  memory.release();
  freeBytes(block.subarray(20_000, 40_000));
  expect(block.toString()).toBe("x".repeat(60_000));
});
