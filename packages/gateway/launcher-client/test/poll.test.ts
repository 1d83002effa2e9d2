import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Polled, poll } from "../src/poll.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Polls for `timeoutMs` with these answers, then "not yet". @returns when it was called, in seconds */
async function pollFor(
  timeoutMs: number,
  ...answers: readonly Polled<string>[]
): Promise<{ value: string | null; at: number[] }> {
  const at: number[] = [];
  const polling = poll(
    async (remainingMs) => {
      at.push((timeoutMs - remainingMs) / 1_000);
      return answers[at.length - 1] ?? { done: false };
    },
    { timeoutMs },
  );
  await vi.runAllTimersAsync();
  return { value: await polling, at };
}

test("polling ends with the first answer that is done", async () => {
  const { value, at } = await pollFor(60_000, { done: true, value: "closed" });
  expect({ value, at }).toEqual({ value: "closed", at: [0] });
});

test("the delay doubles up to a bound, and the last attempt comes before the end", async () => {
  vi.spyOn(Math, "random").mockReturnValue(1);
  const { value, at } = await pollFor(120_000);
  expect(value).toBeNull();
  expect(at).toEqual([0, 1, 3, 7, 15, 31, 63, 103, 119.5]);
});

test("the shortest delay is kept despite jitter", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  expect((await pollFor(2_000)).at).toEqual([0, 0.5, 1, 1.5]);
});

test("a requested delay is kept, and not shortened", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const later = { done: false, retryAfterMs: 10_000 } as const;
  const { value, at } = await pollFor(25_000, later, later, { done: true, value: "closed" });
  expect({ value, at }).toEqual({ value: "closed", at: [0, 10, 20] });
});

test("polling gives up if the time would be up before the next attempt", async () => {
  const { value, at } = await pollFor(9_000, { done: false, retryAfterMs: 10_000 });
  expect({ value, at }).toEqual({ value: null, at: [0] });
});

test("an attempt that has waited by itself is followed by the next at once", async () => {
  const waited = { done: false, atOnce: true, retryAfterMs: 10_000 } as const;
  const { at } = await pollFor(60_000, waited, waited, { done: true, value: "closed" });
  expect(at).toEqual([0, 0.001, 0.002].map(() => expect.closeTo(0, 1)));
});

test("an error ends polling", async () => {
  const polling = poll(async () => Promise.reject(new Error("refused")), { timeoutMs: 1_000 });
  await expect(polling).rejects.toThrow("refused");
});

test("an abort ends the wait with the signal's reason", async () => {
  const abort = new AbortController();
  const asked = vi.fn(async (): Promise<Polled<string>> => ({ done: false }));
  const polling = poll(asked, { timeoutMs: 60_000, signal: abort.signal });
  const outcome = expect(polling).rejects.toBe("enough");
  await vi.advanceTimersByTimeAsync(10);
  abort.abort("enough");
  await outcome;
  expect(asked).toHaveBeenCalledOnce();
});
