import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Cancellation } from "../../src/call/cancellation.ts";
import { CallerGoneError, GatewayError } from "../../src/errors/gateway-error.ts";
import { RouteQueue } from "../../src/routes/route-queue.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  // A leftover timer would act on a request that is gone.
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** A route with one place, and a record of the keys that got it or were refused, in order. */
function route(
  options: { maxQueue?: number; queueTimeoutMs?: number; maxConcurrency?: number } = {},
) {
  const queue = new RouteQueue({
    model: "demo",
    maxConcurrency: 1,
    maxQueue: 10_000,
    queueTimeoutMs: 60_000,
    ...options,
  });
  const granted: string[] = [];
  const refused: string[] = [];
  const errors = new Map<string, unknown>();
  const ask = (key: string, name = key): Cancellation => {
    const cancellation = new Cancellation();
    queue.acquire(key, cancellation).then(
      () => granted.push(name),
      (error: unknown) => {
        refused.push(name);
        errors.set(name, error);
      },
    );
    return cancellation;
  };
  return { queue, granted, refused, errors, ask };
}

/** Lets every decision take effect. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

async function releaseAll(queue: RouteQueue): Promise<void> {
  while (queue.inFlight > 0) {
    queue.release();
    await settle();
  }
  expect([queue.inFlight, queue.waiting]).toEqual([0, 0]);
}

test("places are given at once up to max_concurrency, and never more", () => {
  const { queue } = route({ maxConcurrency: 3 });
  expect([1, 2, 3, 4].map(() => queue.tryAcquire())).toEqual([true, true, true, false]);
  expect(queue.inFlight).toBe(3);
  queue.release();
  expect(queue.tryAcquire()).toBe(true);
});

test("one session with 1,000 waiting requests does not starve others: sessions take turns", async () => {
  const { queue, granted, ask } = route();
  queue.tryAcquire();
  for (let index = 0; index < 1_000; index += 1) ask("flood", `flood ${index}`);
  ask("a");
  ask("b", "b 0");
  ask("b", "b 1");
  await releaseAll(queue);
  expect(granted.slice(0, 6)).toEqual(["flood 0", "a", "b 0", "flood 1", "b 1", "flood 2"]);
  expect(granted).toHaveLength(1_003);
});

test("a session that comes back after its turn waits behind the others", async () => {
  const { queue, granted, ask } = route();
  queue.tryAcquire();
  ask("a", "a 0");
  ask("b", "b 0");
  queue.release();
  await settle();
  ask("a", "a 1");
  await releaseAll(queue);
  expect(granted).toEqual(["a 0", "b 0", "a 1"]);
});

test("within one session, requests are first in, first out", async () => {
  const { queue, granted, ask } = route();
  queue.tryAcquire();
  const names = Array.from({ length: 50 }, (_, index) => `request ${index}`);
  for (const name of names) ask("s", name);
  await releaseAll(queue);
  expect(granted).toEqual(names);
});

test("a full queue refuses at once with 429 and says when to try again", async () => {
  const { queue, refused, errors, ask } = route({ maxQueue: 2 });
  queue.tryAcquire();
  for (const name of ["first", "second", "third"]) ask("s", name);
  await settle();
  expect(refused).toEqual(["third"]);
  expect(errors.get("third")).toMatchObject({ code: "route_saturated", retryAfterMs: 1_000 });
  expect(queue.waiting).toBe(2);
  await releaseAll(queue);
});

test("in a full queue the newest waiter of the session with the most gives way to one with fewer", async () => {
  const { queue, granted, refused, errors, ask } = route({ maxQueue: 4 });
  queue.tryAcquire();
  for (const name of ["many 0", "many 1", "many 2"]) ask("many", name);
  ask("few", "few 0");
  ask("new", "new 0");
  await settle();
  expect(refused).toEqual(["many 2"]);
  expect(errors.get("many 2")).toMatchObject({ code: "route_saturated", retryAfterMs: 1_000 });
  expect(queue.waiting).toBe(4);
  await releaseAll(queue);
  expect(granted).toEqual(["many 0", "few 0", "new 0", "many 1"]);
});

test("nobody gives way to a session that would then have as many waiters or more", async () => {
  const { queue, refused, ask } = route({ maxQueue: 3 });
  queue.tryAcquire();
  ask("a", "a 0");
  ask("a", "a 1");
  ask("b", "b 0");
  ask("a", "a 2");
  ask("b", "b 1");
  await settle();
  expect(refused).toEqual(["a 2", "b 1"]);
  ask("c", "c 0");
  await settle();
  expect(refused).toEqual(["a 2", "b 1", "a 1"]);
  ask("d", "d 0");
  await settle();
  expect(refused).toEqual(["a 2", "b 1", "a 1", "d 0"]);
  await releaseAll(queue);
});

test("without a queue a request without a free place is refused at once", async () => {
  const { queue, refused, ask } = route({ maxQueue: 0 });
  queue.tryAcquire();
  ask("s");
  await settle();
  expect(refused).toEqual(["s"]);
  await releaseAll(queue);
});

test("a request that has waited queue_timeout_s is refused with 429; a later one keeps waiting", async () => {
  const { queue, granted, refused, errors, ask } = route({ queueTimeoutMs: 500 });
  queue.tryAcquire();
  ask("a");
  vi.advanceTimersByTime(300);
  ask("b");
  vi.advanceTimersByTime(200);
  await settle();
  expect(refused).toEqual(["a"]);
  expect(errors.get("a")).toMatchObject({ code: "route_saturated", retryAfterMs: 1_000 });
  expect(queue.waiting).toBe(1);
  await releaseAll(queue);
  expect(granted).toEqual(["b"]);
});

test("a request cancelled while it waits leaves with the reason, and its turn goes to the next", async () => {
  const { queue, granted, refused, errors, ask } = route();
  queue.tryAcquire();
  const abandoned = ask("a", "a 0");
  ask("a", "a 1");
  ask("b");
  const reason = new CallerGoneError("left");
  abandoned.cancel(reason);
  await settle();
  expect(refused).toEqual(["a 0"]);
  expect(errors.get("a 0")).toBe(reason);
  expect(queue.waiting).toBe(2);
  await releaseAll(queue);
  expect(granted).toEqual(["a 1", "b"]);
});

test("a request cancelled before it asks gets the reason and takes no place", async () => {
  for (const isFull of [true, false]) {
    const { queue } = route();
    if (isFull) queue.tryAcquire();
    const cancellation = new Cancellation();
    const reason = new GatewayError("session_closed", "closed");
    cancellation.cancel(reason);
    await expect(queue.acquire("s", cancellation)).rejects.toBe(reason);
    expect([queue.inFlight, queue.waiting]).toEqual([isFull ? 1 : 0, 0]);
    vi.advanceTimersByTime(60_000);
    if (isFull) await releaseAll(queue);
  }
});

test("a cancellation after the grant changes nothing in the queue", async () => {
  const { queue, granted, refused, ask } = route();
  queue.tryAcquire();
  const cancellation = ask("a");
  queue.release();
  cancellation.cancel(new CallerGoneError("left"));
  await settle();
  expect([granted, refused, queue.inFlight]).toEqual([["a"], [], 1]);
  await releaseAll(queue);
});
