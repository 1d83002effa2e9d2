import {
  createMarketHours,
  forexHours,
  forexHoursConfig,
  marketHoursProperty,
  readMarketHours,
} from "@proj/trading-client/wire";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";

const at = (text: string) => Temporal.Instant.from(text);

/** An index with a daily evening break, as at many brokers. */
const index = {
  time_zone: "America/New_York",
  sessions: [
    { opens: "Sunday 18:00", closes: "Monday 16:15" },
    { opens: "Monday 18:00", closes: "Tuesday 16:15" },
  ],
};

describe("market hours", () => {
  it("is closed between two sessions", () => {
    const hours = createMarketHours(index);
    expect(hours.phase(at("2026-01-12T20:00:00Z"))).toBe("open");
    expect(hours.phase(at("2026-01-12T21:15:00Z"))).toBe("closed");
    expect(hours.nextOpening(at("2026-01-12T22:00:00Z")).from.toString()).toBe(
      "2026-01-12T23:00:00Z",
    );
    expect(hours.nextClosing(at("2026-01-12T22:00:00Z")).toString()).toBe("2026-01-13T21:15:00Z");
  });

  it("opens at an exact time without a window", () => {
    const hours = createMarketHours(index);
    expect(hours.phase(at("2026-01-11T23:00:00Z"))).toBe("open");
    const { from, by } = hours.nextOpening(at("2026-01-11T22:59:00Z"));
    expect(from.equals(by)).toBe(true);
  });

  it("follows local time in zones that change clocks on other days than New York", () => {
    const hours = createMarketHours({
      time_zone: "Europe/London",
      sessions: [{ opens: "Monday 08:00", closes: "Monday 16:30" }],
    });
    expect(hours.phase(at("2026-03-23T08:00:00Z"))).toBe("open");
    expect(hours.phase(at("2026-03-30T07:00:00Z"))).toBe("open");
    expect(hours.phase(at("2026-03-30T15:30:00Z"))).toBe("closed");
  });

  it("is closed on holidays and on parts of days", () => {
    const holidays = [
      { closes: "2026-12-24 13:00", opens: "2026-12-25 17:00", opens_by: "2026-12-25 17:15" },
      { closes: "2026-12-31 16:55", opens: "2027-01-03 17:00", opens_by: "2027-01-03 17:15" },
    ];
    const hours = createMarketHours({ ...forexHoursConfig, holidays });
    expect(hours.nextClosing(at("2026-12-21T00:00:00Z")).toString()).toBe("2026-12-24T18:00:00Z");
    expect(hours.phase(at("2026-12-24T17:59:59.999Z"))).toBe("open");
    expect(hours.phase(at("2026-12-24T18:00:00Z"))).toBe("closed");
    // The week ends before the market would open again.
    expect(hours.phase(at("2026-12-25T21:59:59.999Z"))).toBe("closed");
    expect(hours.nextOpening(at("2026-12-25T00:00:00Z"))).toEqual({
      from: at("2026-12-27T22:00:00Z"),
      by: at("2026-12-27T22:15:00Z"),
    });
    expect(hours.nextClosing(at("2026-12-28T00:00:00Z")).toString()).toBe("2026-12-31T21:55:00Z");
    expect(hours.phase(at("2027-01-01T15:00:00Z"))).toBe("closed");
    expect(hours.phase(at("2027-01-03T22:14:00Z"))).toBe("opening");
    expect(hours.phase(at("2027-01-03T22:15:00Z"))).toBe("open");
  });

  it("opens within a week after a holiday, in a window if there is one", () => {
    const holidays = [
      { closes: "2026-11-26 13:00", opens: "2026-11-26 18:00", opens_by: "2026-11-26 18:05" },
    ];
    const hours = createMarketHours({ ...forexHoursConfig, holidays });
    const { from, by } = hours.nextOpening(at("2026-11-24T00:00:00Z"));
    expect([from, by].map(String)).toEqual(["2026-11-26T23:00:00Z", "2026-11-26T23:05:00Z"]);
    expect(hours.phase(at("2026-11-26T23:04:00Z"))).toBe("opening");
    expect(hours.phase(at("2026-11-27T12:00:00Z"))).toBe("open");
    expect(hours.nextClosing(from).toString()).toBe("2026-11-27T21:55:00Z");
  });

  it("finds the opening after a holiday of several months", () => {
    const holidays = [{ closes: "2026-03-01 00:00", opens: "2026-09-01 00:00" }];
    const hours = createMarketHours({ ...forexHoursConfig, holidays });
    expect(hours.nextOpening(at("2026-03-03T00:00:00Z")).from.toString()).toBe(
      "2026-09-01T04:00:00Z",
    );
  });

  it("reads the hours of instrument types from a server's properties", () => {
    const holidays = [{ closes: "2026-12-24 13:00", opens: "2026-12-25 18:00" }];
    const closed = { ...index, holidays };
    const properties = [
      { name: "speed", value: "1" },
      marketHoursProperty(2, closed),
      marketHoursProperty(5, null),
    ];
    const hours = readMarketHours(properties);
    expect([...hours.keys()]).toEqual([2, 5]);
    expect(hours.get(2)?.config).toEqual(closed);
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

  it.each([
    [{ closes: "2026-12-24", opens: "2026-12-26 00:00" }, /2026-12-24.*13:00/],
    [{ closes: "2026-02-30 00:00", opens: "2026-12-26 00:00" }, /2026-02-30/],
    [{ closes: "2026-12-24 13:00", opens: "2026-12-24 13:00" }, /begin.*before/],
  ])("refuses a holiday that makes no sense: %j", (holiday, message) => {
    const config = { ...forexHoursConfig, holidays: [holiday] };
    expect(() => createMarketHours(config)).toThrow(message);
  });

  it.each(["{}", "no json", '{"time_zone":"UTC","sessions":[{"opens":1}]}'])(
    "names the property with malformed hours: %s",
    (value) => {
      expect(() => readMarketHours([{ name: "market_hours.1", value }])).toThrow("market_hours.1");
    },
  );
});

describe("yearly holidays", () => {
  const phase = (time: string) => forexHours.phase(Temporal.Instant.from(time));

  it("close forex on Christmas Day and New Year's Day, from 5 PM to 5 PM", () => {
    expect(phase("2026-12-24T21:59:59Z")).toBe("open");
    expect(phase("2026-12-24T22:00:00Z")).toBe("closed");
    expect(phase("2026-12-25T15:00:00Z")).toBe("closed");
    expect(phase("2025-12-25T21:59:59Z")).toBe("closed");
    expect(phase("2025-12-25T22:00:00Z")).toBe("opening");
    expect(phase("2025-12-25T22:15:00Z")).toBe("open");
    expect(phase("2030-12-31T22:00:00Z")).toBe("closed");
    expect(phase("2031-01-01T15:00:00Z")).toBe("closed");
    expect(phase("2031-01-01T22:15:00Z")).toBe("open");
  });

  it("end at the next regular opening", () => {
    const opening = forexHours.nextOpening(Temporal.Instant.from("2026-12-24T23:00:00Z"));
    expect(opening.from.toString()).toBe("2026-12-27T22:00:00Z");
    const closing = forexHours.nextClosing(Temporal.Instant.from("2025-12-23T12:00:00Z"));
    expect(closing.toString()).toBe("2025-12-24T22:00:00Z");
  });

  it("have times all with a year or all without", () => {
    const holidays = [{ closes: "12-24 17:00", opens: "2026-12-25 17:00" }];
    expect(() => createMarketHours({ ...forexHoursConfig, holidays })).toThrow(
      "have a year or none",
    );
    const none = [{ closes: "02-30 17:00", opens: "03-01 17:00" }];
    expect(() => createMarketHours({ ...forexHoursConfig, holidays: none })).toThrow("02-30");
  });
});
