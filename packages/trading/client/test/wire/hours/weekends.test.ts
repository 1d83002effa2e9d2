import { createMarketHours, forexHoursConfig } from "@proj/trading-client/wire";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";

const forexHours = createMarketHours({ ...forexHoursConfig, holidays: [] });

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The nth Sunday of a month, as UTC midnight. */
function sunday(year: number, month: number, nth: number): number {
  const first = Date.UTC(year, month - 1, 1);
  const untilSunday = (7 - new Date(first).getUTCDay()) % 7;
  return first + (untilSunday + 7 * (nth - 1)) * dayMs;
}

/**
 * Hours that New York is behind UTC at 5 PM on this day: four from the second Sunday of March until the
 * first Sunday of November, when the clocks change; otherwise five.
 */
function hoursBehind(day: number): number {
  const year = new Date(day).getUTCFullYear();
  const isSummer = day >= sunday(year, 3, 2) && day < sunday(year, 11, 1);
  return isSummer ? 4 : 5;
}

interface Weekend {
  readonly closes: number;
  readonly opens: number;
  readonly name: string;
  readonly gapHours: number;
}

/** Every weekend whose Sunday is in 2026 or 2027, by plain arithmetic. */
function* weekends(): Generator<Weekend> {
  for (let day = sunday(2026, 1, 1); day < Date.UTC(2028, 0, 1); day += 7 * dayMs) {
    const friday = day - 2 * dayMs;
    const closes = friday + (16 + hoursBehind(friday)) * hourMs + 55 * minuteMs;
    const opens = day + (17 + hoursBehind(day)) * hourMs;
    const name = new Date(day).toISOString().slice(0, 10);
    yield { closes, opens, name, gapHours: (opens - closes) / hourMs };
  }
}

const at = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds);
const phase = (milliseconds: number) => forexHours.phase(at(milliseconds));

describe("forex hours", () => {
  it("have 104 weekends, two of them an hour shorter and two an hour longer", () => {
    const gaps = [...weekends()].map(({ gapHours }) => Math.round(gapHours * 60) - 48 * 60 - 5);
    expect(gaps).toHaveLength(104);
    expect(gaps.filter((minutes) => minutes === -60)).toHaveLength(2);
    expect(gaps.filter((minutes) => minutes === 60)).toHaveLength(2);
  });

  it.each([...weekends()])("are right around the weekend of $name", ({ closes, opens }) => {
    expect(phase(closes - 1)).toBe("open");
    expect(phase(closes)).toBe("closed");
    expect(phase(opens - 1)).toBe("closed");
    expect(phase(opens)).toBe("opening");
    expect(phase(opens + 15 * minuteMs - 1)).toBe("opening");
    expect(phase(opens + 15 * minuteMs)).toBe("open");
    expect(forexHours.isOpen(at(opens))).toBe(false);
    expect(forexHours.isOpen(at(opens + 15 * minuteMs))).toBe(true);
    for (const instant of [closes - 5 * dayMs + hourMs * 4, closes - 1, closes, opens - 1, opens]) {
      const opening = forexHours.nextOpening(at(instant));
      expect(opening.from.epochMilliseconds).toBe(opens);
      expect(opening.by.epochMilliseconds).toBe(opens + 15 * minuteMs);
    }
    expect(forexHours.nextClosing(at(closes - 4 * dayMs)).epochMilliseconds).toBe(closes);
    expect(forexHours.nextClosing(at(closes - 1)).epochMilliseconds).toBe(closes);
    expect(forexHours.nextClosing(at(closes)).epochMilliseconds).toBeGreaterThan(opens);
  });

  it("find the next opening once a window is over", () => {
    const [first, second] = [...weekends()];
    const after = forexHours.nextOpening(at((first?.opens ?? 0) + 15 * minuteMs));
    expect(after.from.epochMilliseconds).toBe(second?.opens);
  });
});
