import { expect, test } from "vitest";
import { WorkerPools } from "../../src/front/worker-pools.ts";

const ids = Array.from({ length: 3_000 }, (_, number) => `session-${number}`);

test("sessions spread evenly, and when a worker goes only its own sessions move", async () => {
  const pools = new WorkerPools();
  for (const number of [1, 2, 3]) pools.admit(number, `/nowhere/${number}`);
  const placesOf = (): (number | undefined)[] => ids.map((id) => pools.choose(id)?.number);
  const before = placesOf();
  for (const number of [1, 2, 3]) {
    const share = before.filter((each) => each === number).length;
    expect(share).toBeGreaterThan(800);
    expect(share).toBeLessThan(1_200);
  }
  pools.dismiss(2);
  const without = placesOf();
  expect(without).not.toContain(2);
  const moved = without.filter((place, index) => before[index] !== 2 && place !== before[index]);
  expect(moved).toEqual([]);
  pools.admit(2, "/nowhere/2b");
  expect(placesOf()).toEqual(before);
  await pools.close();
});

test("requests without a session take turns between workers", async () => {
  const pools = new WorkerPools();
  expect(pools.choose(null)).toBeNull();
  for (const number of [1, 2]) pools.admit(number, `/nowhere/${number}`);
  const chosen = Array.from({ length: 4 }, () => pools.choose(null)?.number);
  expect(chosen.toSorted()).toEqual([1, 1, 2, 2]);
  await pools.close();
});
