import { startDailyRun } from "@proj/deprecation-feed";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const at = (time: string): Date => new Date(`${time}Z`);
const hours = 60 * 60 * 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The times at which runs begin after a start at the given time. */
function startAt(now: string, lastRun: string, wasIncomplete = false) {
  vi.setSystemTime(at(now));
  const began: string[] = [];
  const daily = startDailyRun({
    lastRun: lastRun === "" ? "" : at(lastRun).toISOString(),
    wasIncomplete,
    run: async () => began.push(new Date().toISOString()) > 0,
    onError: (error) => expect.unreachable(String(error)),
  });
  return { daily, began };
}

test("runs every day at 02:00 UTC", async () => {
  const { daily, began } = startAt("2026-10-01T12:00", "2026-10-01T02:00");
  expect(daily.next).toEqual(at("2026-10-02T02:00"));
  await vi.advanceTimersByTimeAsync(48 * hours);
  expect(began).toEqual(["2026-10-02T02:00:00.000Z", "2026-10-03T02:00:00.000Z"]);
  await daily.stop();
  await vi.advanceTimersByTimeAsync(48 * hours);
  expect(began).toHaveLength(2);
});

test.each([
  ["the last run was before the last 02:00", "2026-10-02T01:59", "2026-10-02T12:00", 1],
  ["it never ran", "", "2026-10-02T12:00", 1],
  ["the last run was at the last 02:00", "2026-10-02T02:00", "2026-10-02T12:00", 0],
  ["the next 02:00 is still to come", "2026-10-01T02:00", "2026-10-02T01:59", 0],
])("%s: a start runs at once or waits", async (_what, lastRun, now, runs) => {
  const { daily, began } = startAt(now, lastRun);
  await vi.advanceTimersByTimeAsync(1);
  expect(began).toHaveLength(runs);
  await daily.stop();
});

test("a failed run is reported, and the next one still takes place", async () => {
  vi.setSystemTime(at("2026-10-01T01:00"));
  const errors: unknown[] = [];
  const daily = startDailyRun({
    lastRun: at("2026-09-30T02:00").toISOString(),
    run: () => Promise.reject(new Error("no network")),
    onError: (error) => errors.push(error),
  });
  await vi.advanceTimersByTimeAsync(hours + 2 * 60_000);
  expect(errors).toEqual([new Error("no network"), new Error("no network")]);
  await daily.stop();
});

test("pages that could not be fetched are retried with growing delays, up to an hour", async () => {
  vi.setSystemTime(at("2026-10-01T12:00"));
  const began: [kind: string, minutes: number][] = [];
  const daily = startDailyRun({
    lastRun: "",
    run: async (_signal, kind) => {
      began.push([kind, (Date.now() - at("2026-10-01T12:00").getTime()) / 60_000]);
      return began.length === 9;
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  await vi.advanceTimersByTimeAsync(10 * hours);
  expect(began).toEqual([
    ["daily", 0],
    ...[1, 3, 7, 15, 31, 63, 123, 183].map((minutes) => ["retry", minutes]),
  ]);
  await daily.stop();
});

test("a start after an incomplete run retries its missing pages", async () => {
  const { daily, began } = startAt("2026-10-02T12:00", "2026-10-02T02:00", true);
  await vi.advanceTimersByTimeAsync(1);
  expect(began).toHaveLength(1);
  await daily.stop();
});

test("stopping aborts the current run, and waits for it", async () => {
  vi.setSystemTime(at("2026-10-01T12:00"));
  const events: string[] = [];
  const daily = startDailyRun({
    lastRun: "",
    run: (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          events.push("aborted");
          reject(signal.reason);
        });
      }),
    onError: () => events.push("told"),
  });
  await daily.stop();
  expect(events).toEqual(["aborted"]);
});
