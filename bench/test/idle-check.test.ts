import { expect, test } from "vitest";
import { watchOthers } from "../src/machine/idle-check.ts";

test("what a process uses itself is not what others use", () => {
  const all = watchOthers([]);
  const others = watchOthers([process.pid]);
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 200_000);
  const share = others();
  expect(share).toBeGreaterThanOrEqual(0);
  expect(all()).toBeGreaterThan(share);
});
