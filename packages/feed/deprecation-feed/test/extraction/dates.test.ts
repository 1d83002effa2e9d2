import fc from "fast-check";
import { expect, test } from "vitest";
import { readDateCell } from "../../src/extraction/date-cells.ts";
import { dateOrderOf } from "../../src/extraction/date-order.ts";
import { dayAtStart, firstDay } from "../../src/extraction/dates.ts";

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
  expect(readDateCell(cell, "month-first")).toEqual({ day, earliest: "", text: "" });
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
])("%j is not a day and is left unchanged", (text) => {
  expect(readDateCell(text, "month-first")).toMatchObject({ day: "", text });
});

test.each([
  ["Not sooner than June 9, 2027", "2027-06-09"],
  ["July 21, 2027 or later", "2027-07-21"],
  ["at earliest 2024-06-13", "2024-06-13"],
  ["Earliest February 2026", ""],
  ["By June 9, 2027", ""],
  ["around June 1, 2026", ""],
])("the earliest day in %j is %j", (cell, earliest) => {
  expect(readDateCell(cell, "unknown").earliest).toBe(earliest);
});

test.each([
  ["23.10.2026", "unknown", "2026-10-23"],
  ["5.6.2026", "unknown", "2026-06-05"],
  ["5/6/2026", "day-first", "2026-06-05"],
  ["5/6/2026", "month-first", "2026-05-06"],
  ["5-6-2026", "day-first", "2026-06-05"],
  ["6/6/2026", "unknown", "2026-06-06"],
  ["23/10/2026", "month-first", "2026-10-23"],
  ["January 5, 2026, extended to Dec 31, 2027", "unknown", "2027-12-31"],
  ["Jan 5, 2026 (postponed until March 1, 2026)", "unknown", "2026-03-01"],
  ["2026-01-05 → 2026-02-05", "unknown", "2026-02-05"],
] as const)("%j on a page that is %s is %s", (cell, order, day) => {
  expect(readDateCell(cell, order).day).toBe(day);
});

test("an ambiguous day is not a date, and the text says why", () => {
  expect(readDateCell("5/6/2026", "unknown")).toEqual({
    day: "",
    earliest: "",
    text: "5/6/2026 (nothing on the page says whether the day or the month comes first)",
  });
});

test("a postponed date without a new one is not a date", () => {
  expect(readDateCell("January 5, 2026 (postponed)", "unknown").day).toBe("");
});

test.each([
  [["5/6/2026", "31/7/2026"], "day-first"],
  [["5/6/2026", "5/22/26"], "month-first"],
  [["5/6/2026"], "unknown"],
  [["31/7/2026", "5/22/26"], "unknown"],
  [["2026/07/31", "v1/22/2026x", "2026-05-22"], "unknown"],
] as const)("%j is a page that is %s", (texts, order) => {
  expect(dateOrderOf(texts)).toBe(order);
});

test("an empty cell has neither date nor text", () => {
  expect(readDateCell("", "month-first")).toEqual({ day: "", earliest: "", text: "" });
});

test("of several days the earliest counts, but not one that was superseded", () => {
  expect(
    readDateCell("March 1, 2026 (us-east-1), February 1, 2026 (others)", "month-first").day,
  ).toBe("2026-02-01");
  expect(readDateCell("October 1, 2026 (originally August 1, 2026)", "month-first").day).toBe(
    "2026-10-01",
  );
  expect(readDateCell("Moved from August 1, 2026 to October 1, 2026", "month-first").day).toBe(
    "2026-10-01",
  );
});

test("a date within a model id is not a date", () => {
  expect(firstDay("`o1-2024-12-17` and gpt-4-2024-05-13 go on 2026-10-23.", "month-first")).toBe(
    "2026-10-23",
  );
  expect(firstDay("embed-2026.6.30", "month-first")).toBe("");
});

test("a heading may begin with its day", () => {
  expect(dayAtStart("2026-04-14: Older models", "month-first")).toBe("2026-04-14");
  expect(dayAtStart("April 14th, 2026 – Older models", "month-first")).toBe("2026-04-14");
  expect(dayAtStart("Retirement on May 15, 2026", "month-first")).toBe("");
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

test("every day of this century is read in every format, and no month is mistaken for a day", () => {
  const days = fc.date({
    min: new Date("2000-01-01T00:00:00Z"),
    max: new Date("2099-12-31T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(days, (time) => {
      const day = time.toISOString().slice(0, 10);
      for (const text of written(time))
        expect([text, readDateCell(text, "month-first").day]).toEqual([text, day]);
      expect(readDateCell(day.slice(0, 7), "month-first").day).toBe("");
    }),
    { seed: 1 },
  );
});
