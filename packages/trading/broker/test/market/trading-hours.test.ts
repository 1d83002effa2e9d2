import { forexHours, forexHoursConfig } from "@proj/trading-client";
import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, it } from "vitest";
import { TradingHours } from "../../src/instruments/trading-hours.ts";

const at = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds);
const time = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) });

it("agrees with the market hours, whatever the order of queries", () => {
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 30 }), (times) => {
      const hours = new TradingHours({ 1: forexHoursConfig, 2: null });
      for (const asked of times) {
        const isOpen = forexHours.phase(at(asked)) !== "closed";
        expect(hours.isOpen(1, asked)).toBe(isOpen);
        const opening = isOpen ? asked : forexHours.nextOpening(at(asked)).from.epochMilliseconds;
        expect(hours.opensAt(1, asked)).toBe(opening);
        expect(hours.nextChange(asked)).toBe(
          isOpen ? forexHours.nextClosing(at(asked)).epochMilliseconds : opening,
        );
        expect([hours.isOpen(2, asked), hours.isOpen(3, asked)]).toEqual([true, true]);
      }
    }),
    { numRuns: 20 },
  );
});

it("is closed on a holiday until the market reopens", () => {
  const holidays = [{ closes: "2026-12-24 13:00", opens: "2026-12-25 17:00" }];
  const hours = new TradingHours({ 1: { ...forexHoursConfig, holidays } });
  const christmas = Date.parse("2026-12-25T15:00:00Z");
  expect(hours.nextChange(Date.parse("2026-12-24T12:00:00Z"))).toBe(
    Date.parse("2026-12-24T18:00:00Z"),
  );
  expect(hours.isOpen(1, christmas)).toBe(false);
  expect(hours.opensAt(1, christmas)).toBe(Date.parse("2026-12-27T22:00:00Z"));
});

it("is always open with hours switched off", () => {
  const hours = new TradingHours(null);
  const saturday = Date.parse("2026-01-17T12:00:00Z");
  expect(hours.isOpen(1, saturday)).toBe(true);
  expect(hours.opensAt(1, saturday)).toBe(saturday);
  expect(hours.nextChange(saturday)).toBe(Number.POSITIVE_INFINITY);
});
