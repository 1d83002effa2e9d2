import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import { marketHoursProperty, readMarketHours } from "../../src/hours/hours-properties.ts";
import { createMarketHours } from "../../src/hours/market-hours.ts";

const at = (text: string) => Temporal.Instant.from(text);

/** An index with a pause each evening, as many brokers trade it. */
const index = {
  time_zone: "America/New_York",
  sessions: [
    { opens: "Sunday 18:00", closes: "Monday 16:15" },
    { opens: "Monday 18:00", closes: "Tuesday 16:15" },
  ],
};

describe("market hours", () => {
  it("knows the pause between two sessions", () => {
    const hours = createMarketHours(index);
    expect(hours.phase(at("2026-01-12T20:00:00Z"))).toBe("open");
    expect(hours.phase(at("2026-01-12T21:15:00Z"))).toBe("closed");
    expect(hours.nextOpening(at("2026-01-12T22:00:00Z")).from.toString()).toBe(
      "2026-01-12T23:00:00Z",
    );
    expect(hours.nextClosing(at("2026-01-12T22:00:00Z")).toString()).toBe("2026-01-13T21:15:00Z");
  });

  it("opens at an exact moment where no window is given", () => {
    const hours = createMarketHours(index);
    expect(hours.phase(at("2026-01-11T23:00:00Z"))).toBe("open");
    const { from, by } = hours.nextOpening(at("2026-01-11T22:59:00Z"));
    expect(from.equals(by)).toBe(true);
  });

  it("keeps to local time where the clocks change on another day than in New York", () => {
    const hours = createMarketHours({
      time_zone: "Europe/London",
      sessions: [{ opens: "Monday 08:00", closes: "Monday 16:30" }],
    });
    expect(hours.phase(at("2026-03-23T08:00:00Z"))).toBe("open");
    expect(hours.phase(at("2026-03-30T07:00:00Z"))).toBe("open");
    expect(hours.phase(at("2026-03-30T15:30:00Z"))).toBe("closed");
  });

  it("reads the hours of instrument types from a server's properties", () => {
    const properties = [
      { name: "speed", value: "1" },
      marketHoursProperty(2, index),
      marketHoursProperty(5, null),
    ];
    const hours = readMarketHours(properties);
    expect([...hours.keys()]).toEqual([2, 5]);
    expect(hours.get(2)?.config).toEqual(index);
    expect(hours.get(5)).toBeNull();
  });

  it.each([
    [{ time_zone: "America/Newyork", sessions: index.sessions }, /America\/Newyork.*IANA/],
    [{ time_zone: "UTC", sessions: [] }, /session/],
    [{ time_zone: "UTC", sessions: [{ opens: "Sun 17:00", closes: "Friday 16:55" }] }, /Sun 17:00/],
    [{ time_zone: "UTC", sessions: [{ opens: "Sunday 25:00", closes: "Friday 16:55" }] }, /25:00/],
    [{ time_zone: "UTC", sessions: [{ opens: "Sunday 17:00", closes: "Sunday 17:00" }] }, /end/],
  ])("refuses hours that make no sense: %j", (config, message) => {
    expect(() => createMarketHours(config)).toThrow(message);
  });

  it.each(["{}", "no json", '{"time_zone":"UTC","sessions":[{"opens":1}]}'])(
    "says which property holds no hours: %s",
    (value) => {
      expect(() => readMarketHours([{ name: "market_hours.1", value }])).toThrow("market_hours.1");
    },
  );
});
