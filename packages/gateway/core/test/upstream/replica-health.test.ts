import { beforeEach, describe, expect, it } from "vitest";
import { ReplicaHealth } from "../../src/upstream/replica-health.ts";

const second = 1000;

describe("the health of a replica", () => {
  let now: number;
  let health: ReplicaHealth;

  beforeEach(() => {
    now = 1_000_000;
    health = new ReplicaHealth(() => now);
  });

  const fail = (times: number): void => {
    for (let turn = 0; turn < times; turn += 1) health.begin()("lost");
  };

  it("is lost with the third failure in 10 s, for 10 s", () => {
    fail(2);
    expect(health).toMatchObject({ ejected: false, available: true });
    now += 9.9 * second;
    fail(1);
    expect(health).toMatchObject({ ejected: true, available: false });
    now += 9.9 * second;
    expect(health.available).toBe(false);
    now += 0.1 * second;
    expect(health).toMatchObject({ ejected: true, available: true });
  });

  it("is not lost by failures that are further apart", () => {
    for (let turn = 0; turn < 10; turn += 1) {
      fail(1);
      now += 5 * second;
    }
    expect(health.ejected).toBe(false);
  });

  it("is not touched by slowness or cancellation", () => {
    for (let turn = 0; turn < 10; turn += 1) health.begin()("unknown");
    expect(health.ejected).toBe(false);
  });

  it("is tried by one call, which brings it back", () => {
    fail(3);
    now += 10 * second;
    const judge = health.begin();
    expect(health.available).toBe(false);
    judge("reachable");
    expect(health).toMatchObject({ ejected: false, available: true });
    fail(2);
    expect(health.ejected).toBe(false);
  });

  it("is tried by the next call if the trial was inconclusive", () => {
    fail(3);
    now += 10 * second;
    health.begin()("unknown");
    expect(health).toMatchObject({ ejected: true, available: true });
  });

  it("stays lost for twice as long after each failed trial, at most 5 min", () => {
    fail(3);
    const waits = [10, 20, 40, 80, 160, 300, 300];
    for (const wait of waits) {
      now += wait * second - 1;
      expect(health.available).toBe(false);
      now += 1;
      expect(health.available).toBe(true);
      fail(1);
      expect(health.available).toBe(false);
    }
    now += 300 * second;
    health.begin()("reachable");
    fail(3);
    now += 10 * second;
    expect(health.available).toBe(true);
  });

  it("comes back by any call sent while it was lost, but by none sent before", () => {
    const before = health.begin();
    fail(3);
    before("reachable");
    expect(health.ejected).toBe(true);
    health.begin()("reachable");
    expect(health.ejected).toBe(false);
  });

  it("is not lost for longer by calls sent while it was lost", () => {
    fail(3);
    now += 5 * second;
    fail(5);
    now += 5 * second;
    expect(health.available).toBe(true);
  });
});
