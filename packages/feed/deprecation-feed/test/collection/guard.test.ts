import { type CollectOptions, collect, type FeedState, type Notice } from "@proj/deprecation-feed";
import { describe, expect, test } from "vitest";
import { emptyState } from "../../src/collection/feed-state.ts";
import { deprecationPage, type PageSite, startPageSite, testProvider } from "../page-site.ts";

type Rows = readonly Partial<Notice>[];

const rowsOf = (count: number): Rows =>
  Array.from({ length: count }, (_, index) => ({
    model_id: `model-${index + 1}`,
    shutdown_date: index === 0 ? "2027-03-04" : `2027-0${index}-15`,
    announcement_date: "2026-09-01",
    replacement_models: ["next-1"],
  }));

async function run(
  site: PageSite,
  state: FeedState,
  day: string,
  rows: Rows,
  options: CollectOptions = {},
): Promise<FeedState> {
  site.pages.set("/acme", deprecationPage(...rows));
  return collect([testProvider(site)], state, { now: new Date(`${day}T02:00Z`), ...options });
}

const without = (rows: Rows, count: number): Rows => rows.slice(0, rows.length - count);
const changed = (rows: Rows, count: number, facts: Partial<Notice>): Rows =>
  rows.map((row, index) => (index < count ? { ...row, ...facts } : row));
const endOf = ({ catalogue }: FeedState, id: string): string | undefined =>
  catalogue.notices.find(({ model_id }) => model_id === id)?.shutdown_date;

describe("a doubtful row", () => {
  test.each<[what: string, change: (rows: Rows) => Rows, reason: string]>([
    ["a third of the rows gone", (rows) => without(rows, 3), "of 10 models 3 are missing"],
    [
      "three ids written otherwise",
      (rows) => rows.map((row, index) => (index < 3 ? { ...row, model_id: `x-${index}` } : row)),
      "its row is now read as x-0",
    ],
    [
      "one date lost without a word",
      (rows) => changed(rows, 1, { shutdown_date: "" }),
      "it no longer has a shutdown date (2027-03-04), and does not say why",
    ],
    [
      "one date lost to words that explain nothing",
      (rows) => changed(rows, 1, { shutdown_date: "", shutdown_text: "next spring" }),
      "it no longer has a shutdown date (2027-03-04), and does not say why",
    ],
    [
      "day and month of one date swapped",
      (rows) => changed(rows, 1, { shutdown_date: "2027-04-03" }),
      "the day and the month of its shutdown date are swapped (2027-04-03)",
    ],
    [
      "the newest announcement lost, and an older one read",
      (rows) => changed(rows, 1, { announcement_date: "2026-01-10", shutdown_date: "2026-12-01" }),
      "its newest announcement (2026-09-01) is gone",
    ],
    [
      "a day that nobody announces",
      (rows) => changed(rows, 1, { shutdown_date: "9999-12-31" }),
      "9999-12-31 is not a plausible day",
    ],
    [
      "one id in capitals",
      (rows) => changed(rows, 1, { model_id: "MODEL-1" }),
      "its row is now read as MODEL-1",
    ],
    [
      "all replacements of a row gone",
      (rows) => changed(rows, 1, { replacement_models: [] }),
      "its replacement models (next-1) are gone",
    ],
  ])("(%s) is held with a reason and its words, old and new", async (_what, change, reason) => {
    await using site = await startPageSite();
    const first = await run(site, emptyState, "2026-10-01", rowsOf(10));
    const second = await run(site, first, "2026-10-02", change(rowsOf(10)));
    expect(second.catalogue).toEqual(first.catalogue);
    const [status] = second.statuses;
    expect(status).toMatchObject({ state: "read with gaps", failure: "change" });
    const held = status?.held_back.find((row) => row.reason.includes(reason));
    expect(held?.old_words).toContain("model-");
  });

  test("does not hold the others", async () => {
    await using site = await startPageSite();
    const first = await run(site, emptyState, "2026-10-01", rowsOf(10));
    const rows = changed(rowsOf(10), 1, { shutdown_date: "" });
    const news = { model_id: "other-1", shutdown_date: "2027-08-01" };
    const second = await run(site, first, "2026-10-02", [...rows, news]);
    expect(endOf(second, "model-1")).toBe("2027-03-04");
    expect(endOf(second, "other-1")).toBe("2027-08-01");
  });

  test("is published once a person accepts it, and the others stay held", async () => {
    await using site = await startPageSite();
    const first = await run(site, emptyState, "2026-10-01", rowsOf(10));
    const rows = changed(rowsOf(10), 2, { shutdown_date: "" });
    const one = await run(site, first, "2026-10-02", rows, { accept: ["acme:model-1"] });
    expect([endOf(one, "model-1"), endOf(one, "model-2")]).toEqual(["", "2027-01-15"]);
    expect(one.statuses).toMatchObject([{ state: "read with gaps", accepted_at: "" }]);
    const all = await run(site, one, "2026-10-03", rows, { accept: ["acme"] });
    expect(all.statuses).toMatchObject([
      { state: "fresh", held_back: [], accepted_at: "2026-10-03T02:00:00.000Z" },
    ]);
    expect(endOf(all, "model-2")).toBe("");
  });

  test("is held on a first run too", async () => {
    await using site = await startPageSite();
    const prose = { model_id: "Please see our migration guide for more" };
    const rows = [...rowsOf(3), prose, { model_id: "m-9", shutdown_date: "1970-01-01" }];
    const state = await run(site, emptyState, "2026-10-01", rows);
    expect(state.catalogue.notices.map(({ model_id }) => model_id)).toEqual([
      "model-1",
      "model-2",
      "model-3",
    ]);
    expect(state.statuses[0]?.held_back.map(({ model_id }) => model_id).sort()).toEqual([
      prose.model_id,
      "m-9",
    ]);
  });
});

describe("what is surely read is published, however much of it there is:", () => {
  test.each<[what: string, change: (rows: Rows) => Rows]>([
    [
      "a page that doubles",
      (rows) => [...rows, ...rows.map(({ model_id }) => ({ model_id: `other-${model_id}` }))],
    ],
    ["a third of the dates moved", (rows) => changed(rows, 3, { shutdown_date: "2028-01-20" })],
    [
      "a third of the dates taken back",
      (rows) => changed(rows, 3, { shutdown_date: "", shutdown_text: "TBD" }),
    ],
    ["all replacements changed", (rows) => changed(rows, 10, { replacement_models: ["next-2"] })],
    [
      "a row gone and a date moved",
      (rows) => changed(without(rows, 1), 1, { shutdown_date: "2028-01-20" }),
    ],
  ])("%s", async (_what, change) => {
    await using site = await startPageSite();
    const first = await run(site, emptyState, "2026-10-01", rowsOf(10));
    const second = await run(site, first, "2026-10-02", change(rowsOf(10)));
    expect(second.statuses).toMatchObject([{ state: "fresh", failure: "", held_back: [] }]);
    expect(second.catalogue).not.toEqual(first.catalogue);
  });
});

test("gradual losses add up over a month", async () => {
  await using site = await startPageSite();
  let state = await run(site, emptyState, "2026-10-01", rowsOf(10));
  state = await run(site, state, "2026-10-05", without(rowsOf(10), 1));
  state = await run(site, state, "2026-10-08", without(rowsOf(10), 2));
  expect(state.statuses).toMatchObject([{ state: "fresh", models: 8 }]);
  state = await run(site, state, "2026-10-10", without(rowsOf(10), 3));
  expect(state.statuses).toMatchObject([{ state: "read with gaps", models: 8 }]);
  expect(state.statuses[0]?.held_back[0]?.reason).toMatch(/weeks/);
  state = await run(site, state, "2026-11-20", without(rowsOf(10), 3));
  expect(state.statuses).toMatchObject([{ state: "fresh", models: 7 }]);
});

test("a page that is cut off is distinguished from one whose rows were removed", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", rowsOf(10));
  const page = deprecationPage(...rowsOf(10));
  site.pages.set("/acme", page.slice(0, page.indexOf("model-10")));
  const cut = await collect([testProvider(site)], first, { now: new Date("2026-10-02") });
  expect(cut.statuses[0]?.held_back).toMatchObject([
    { model_id: "model-10", reason: expect.stringMatching(/cut off/) },
  ]);
});

test("a day that a page drops once it has passed stays known", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", rowsOf(10));
  const rows = changed(rowsOf(10), 1, { shutdown_date: "" });
  const second = await run(site, first, "2027-03-10", rows);
  expect(second.statuses).toMatchObject([{ state: "fresh" }]);
  expect(endOf(second, "model-1")).toBe("2027-03-04");
});

test("a model that is only mentioned as another one's replacement has disappeared", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", rowsOf(10));
  const rows = changed(without(rowsOf(10), 1), 1, { replacement_models: ["model-10"] });
  const second = await run(site, first, "2026-10-02", rows);
  expect(second.statuses).toMatchObject([{ state: "fresh", models: 9 }]);
});
