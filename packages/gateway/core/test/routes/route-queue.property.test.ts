import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { Cancellation } from "../../src/call/cancellation.ts";
import { CallerGoneError, GatewayError } from "../../src/errors/gateway-error.ts";
import { RouteQueue } from "../../src/routes/route-queue.ts";

type Event =
  | { readonly kind: "ask"; readonly key: string }
  | { readonly kind: "release" | "cancel"; readonly pick: number }
  | { readonly kind: "wait"; readonly milliseconds: number };

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("ask"), key: fc.constantFrom("a", "b", "c", "d") }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("release"), pick: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("cancel"), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait"), milliseconds: fc.nat(150) }) },
);

interface Request {
  readonly key: string;
  readonly cancellation: Cancellation;
  state: "waiting" | "holding" | "refused" | "released";
  settledTimes: number;
}

afterEach(() => {
  vi.useRealTimers();
});

/** Lets every decision take effect. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

test("through any arrivals, cancellations and time-outs, bounds hold at every step and all counts end at zero", async () => {
  const setting = fc.record({
    maxConcurrency: fc.integer({ min: 1, max: 4 }),
    maxQueue: fc.integer({ min: 0, max: 8 }),
    events: fc.array(event, { maxLength: 120 }),
  });
  await fc.assert(
    fc.asyncProperty(setting, async ({ maxConcurrency, maxQueue, events }) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const queue = new RouteQueue({ model: "m", maxConcurrency, maxQueue, queueTimeoutMs: 100 });
      const requests: Request[] = [];
      const inState = (state: Request["state"]) => requests.filter((one) => one.state === state);
      const release = (one: Request): void => {
        one.state = "released";
        queue.release();
      };
      const check = (): void => {
        expect(queue.inFlight).toBe(inState("holding").length);
        expect(queue.waiting).toBe(inState("waiting").length);
        expect(queue.inFlight).toBeLessThanOrEqual(maxConcurrency);
        expect(queue.waiting).toBeLessThanOrEqual(maxQueue);
        if (queue.waiting > 0) expect(queue.inFlight).toBe(maxConcurrency);
      };

      for (const next of events) {
        if (next.kind === "ask") {
          const { key } = next;
          const one: Request = {
            key,
            cancellation: new Cancellation(),
            state: "waiting",
            settledTimes: 0,
          };
          requests.push(one);
          queue.acquire(key, one.cancellation).then(
            () => void Object.assign(one, { state: "holding", settledTimes: one.settledTimes + 1 }),
            (error: unknown) => {
              expect(error instanceof GatewayError || error instanceof CallerGoneError).toBe(true);
              Object.assign(one, { state: "refused", settledTimes: one.settledTimes + 1 });
            },
          );
        } else if (next.kind === "wait") {
          vi.advanceTimersByTime(next.milliseconds);
        } else {
          const among = next.kind === "release" ? inState("holding") : requests;
          const one = among[next.pick % among.length];
          // Cancelling after the grant, or twice, is part of the test.
          if (one !== undefined && next.kind === "release") release(one);
          else one?.cancellation.cancel(new CallerGoneError("left"));
        }
        await settle();
        check();
      }

      for (let one = inState("holding")[0]; one !== undefined; one = inState("holding")[0]) {
        release(one);
        await settle();
        check();
      }
      expect([queue.inFlight, queue.waiting, vi.getTimerCount()]).toEqual([0, 0, 0]);
      expect(requests.every((one) => one.settledTimes === 1)).toBe(true);
      expect(inState("waiting")).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("between two turns of one session every other waiting session gets one, and each is served in order", async () => {
  const asks = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(asks, async (keys) => {
      const options = { model: "m", maxConcurrency: 1, maxQueue: 100, queueTimeoutMs: 60_000 };
      const queue = new RouteQueue(options);
      queue.tryAcquire();
      const granted: { readonly key: string; readonly order: number }[] = [];
      for (const [order, key] of keys.entries())
        void queue.acquire(key, new Cancellation()).then(() => granted.push({ key, order }));
      for (let count = 0; count <= keys.length; count += 1) {
        queue.release();
        await settle();
      }
      expect(queue.inFlight).toBe(0);
      // The n-th requests of all sessions come before the (n+1)-th of any session.
      const rounds = new Map<string, number>();
      const roundOf = granted.map(({ key }) => {
        const round = (rounds.get(key) ?? 0) + 1;
        rounds.set(key, round);
        return round;
      });
      expect(roundOf).toEqual(roundOf.toSorted((one, other) => one - other));
      for (const key of new Set(keys)) {
        const orders = granted.filter((one) => one.key === key).map((one) => one.order);
        expect(orders).toEqual(orders.toSorted((one, other) => one - other));
      }
    }),
    { numRuns: 200 },
  );
});
