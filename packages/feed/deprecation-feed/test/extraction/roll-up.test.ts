import { expect, test } from "vitest";
import { rollUp } from "../../src/extraction/roll-up.ts";
import type { Notice } from "../../src/notice/notice.ts";
import { row } from "../rows.ts";

const notice = (facts: Partial<Notice>): Notice => ({
  ...row("a-1", facts),
  source_text: JSON.stringify(facts),
});

test("rows by region are combined with the earliest dates, and all kept", () => {
  const rows = [
    notice({ regions: ["us-east-1"], deprecation_date: "2026-01-30", shutdown_date: "2026-07-30" }),
    notice({
      regions: ["eu-central-2"],
      deprecation_date: "2025-08-25",
      shutdown_date: "2026-06-01",
    }),
  ];
  const [rolled] = rollUp(rows);
  expect(rolled).toMatchObject({
    deprecation_date: "2025-08-25",
    shutdown_date: "2026-06-01",
    regions: ["eu-central-2", "us-east-1"],
  });
  expect(rolled?.rows).toHaveLength(2);
  expect(rolled?.rows).toEqual(expect.arrayContaining(rows));
});

test("a row without regions applies to all", () => {
  expect(rollUp([notice({ regions: ["us-east-1"] }), notice({})])[0]?.regions).toEqual([]);
});

test("the newest announcement counts, even if an older one has an earlier date", () => {
  const rows = [
    notice({
      announcement_date: "2026-04-22",
      shutdown_date: "2026-10-23",
      replacement_models: ["c-1"],
    }),
    notice({
      announcement_date: "2025-09-26",
      shutdown_date: "2026-03-26",
      replacement_models: ["b-1"],
    }),
  ];
  expect(rollUp(rows)).toMatchObject([
    { announcement_date: "2026-04-22", shutdown_date: "2026-10-23", replacement_models: ["c-1"] },
  ]);
});

test("a newer announcement without a date removes the older one's date", () => {
  const rows = [
    notice({ announcement_date: "2026-04-22", shutdown_text: "TBD" }),
    notice({ announcement_date: "2025-09-26", shutdown_date: "2026-03-26" }),
  ];
  expect(rollUp(rows)).toMatchObject([{ shutdown_date: "", shutdown_text: "TBD" }]);
});

test("rows without an announcement fill its gaps", () => {
  const rows = [
    notice({
      announcement_date: "2026-06-05",
      shutdown_date: "2026-08-05",
      replacement_models: ["b-1"],
    }),
    notice({ deprecation_date: "2026-06-06", shutdown_date: "2026-08-01" }),
  ];
  expect(rollUp(rows)).toMatchObject([
    { deprecation_date: "2026-06-06", shutdown_date: "2026-08-05", replacement_models: ["b-1"] },
  ]);
});

test("the order and repetition of rows do not matter", () => {
  const rows = [
    notice({ model_id: "b-1", shutdown_date: "2026-03-01", replacement_models: ["x-1"] }),
    notice({ shutdown_date: "2026-02-01", replacement_models: ["y-1"] }),
    notice({ shutdown_date: "2026-01-01", replacement_models: ["x-1"] }),
  ];
  const rolled = rollUp(rows);
  expect(rolled.map(({ model_id }) => model_id)).toEqual(["a-1", "b-1"]);
  expect(rollUp(rows.toReversed())).toEqual(rolled);
  expect(rollUp([...rows, ...rows])).toEqual(rolled);
});
