import fc from "fast-check";
import { expect, test } from "vitest";
import { dayAtStart, firstDay, readDateCell } from "../../src/extraction/dates.ts";

test.each([
  ["Dec 11, 2026", "2026-12-11"],
  ["December 11 2026", "2026-12-11"],
  ["Sept. 5, 2025", "2025-09-05"],
  ["April 4th, 2026", "2026-04-04"],
  ["Monday, June 30th, 2025", "2025-06-30"],
  ["11 December 2026", "2026-12-11"],
  ["4th of April, 2026", "2026-04-04"],
  ["11-Dec-2026", "2026-12-11"],
  ["04/15/26", "2026-04-15"],
  ["1/6/25", "2025-01-06"],
  ["5/22/2026", "2026-05-22"],
  ["22/5/2026", "2026-05-22"],
  ["2026.6.30", "2026-06-30"],
  ["2026/06/30", "2026-06-30"],
  ["2026-06-30", "2026-06-30"],
  ["2026\u201108\u201126", "2026-08-26"],
  ["2026–08–26", "2026-08-26"],
  ["2026-06-30T00:00:00Z", "2026-06-30"],
  ["May 15, 2026 at 12:00 PM PT", "2026-05-15"],
  ["August\n 5, 2026", "2026-08-05"],
])("%j is the day %s", (cell, day) => {
  expect(readDateCell(cell)).toEqual({ day, text: "" });
});

test.each([
  "Not sooner than June 9, 2027",
  "No sooner than May 20, 2028",
  "July 21, 2027 or later",
  "at earliest 2024-06-13",
  "Earliest February 2026",
  "On or after March 1, 2026",
  "After May 15, 2026",
  "By the end of 2026",
  "around June 1, 2026",
  "Expected June 1, 2026",
  "2026-10-01 (TBD)",
  "TBD",
  "May 2023",
  "Q3 2026",
  "2026-08",
  "February 30, 2026",
  "13/13/2026",
  "No shutdown date announced",
  "—",
  "N/A",
])("%j is no day and stays as it is", (text) => {
  expect(readDateCell(text)).toEqual({ day: "", text });
});

test("an empty cell says nothing", () => {
  expect(readDateCell("")).toEqual({ day: "", text: "" });
});

test("of several days the earliest counts, but not one that no longer holds", () => {
  expect(readDateCell("March 1, 2026 (us-east-1), February 1, 2026 (others)").day).toBe(
    "2026-02-01",
  );
  expect(readDateCell("October 1, 2026 (originally August 1, 2026)").day).toBe("2026-10-01");
  expect(readDateCell("Moved from August 1, 2026 to October 1, 2026").day).toBe("2026-10-01");
});

test("a date within a model id is no date", () => {
  expect(firstDay("`o1-2024-12-17` and gpt-4-2024-05-13 go on 2026-10-23.")).toBe("2026-10-23");
  expect(firstDay("embed-2026.6.30")).toBe("");
});

test("a heading begins with its day, or with something else", () => {
  expect(dayAtStart("2026-04-14: Older models")).toBe("2026-04-14");
  expect(dayAtStart("April 14th, 2026 – Older models")).toBe("2026-04-14");
  expect(dayAtStart("Retirement on May 15, 2026")).toBe("");
});

const written = (time: Date): readonly string[] => {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate()];
  const name = time.toLocaleString("en-US", { month: "long", timeZone: "UTC" });
  const iso = time.toISOString().slice(0, 10);
  return [
    iso,
    iso.replaceAll("-", "\u2011"),
    `${year}.${month}.${day}`,
    `${month}/${day}/${year}`,
    `${month}/${day}/${String(year).slice(2)}`,
    `${name} ${day}, ${year}`,
    `${name.slice(0, 3)} ${day}, ${year}`,
    `${day} ${name} ${year}`,
  ];
};

test("every day of this century is read in every form, and no month is taken for a day", () => {
  const days = fc.date({
    min: new Date("2000-01-01T00:00:00Z"),
    max: new Date("2099-12-31T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(days, (time) => {
      const day = time.toISOString().slice(0, 10);
      for (const text of written(time)) expect([text, readDateCell(text).day]).toEqual([text, day]);
      expect(readDateCell(day.slice(0, 7)).day).toBe("");
    }),
    { seed: 1 },
  );
});
