import { type CollectOptions, collect, type FeedState, type Notice } from "@proj/deprecation-feed";
import { expect, test } from "vitest";
import { emptyState } from "../../src/collection/feed-state.ts";
import { deprecationPage, type PageSite, startPageSite, testProvider } from "../page-site.ts";

type Rows = readonly Partial<Notice>[];

const rowsOf = (count: number): Rows =>
  Array.from({ length: count }, (_, index) => ({
    model_id: `model-${index + 1}`,
    shutdown_date: index === 0 ? "2027-03-04" : `2027-0${index}-15`,
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

test.each<[what: string, change: (rows: Rows) => Rows, reason: string]>([
  ["a third of the rows gone", (rows) => without(rows, 3), "of 10 models 3 missing"],
  [
    "a third of the dates lost",
    (rows) => changed(rows, 3, { shutdown_date: "", shutdown_text: "TBD" }),
    "of 10 models 3 without a date that they had",
  ],
  [
    "a third of the dates moved",
    (rows) => changed(rows, 3, { shutdown_date: "2028-01-20" }),
    "of 10 models 3 with another date",
  ],
  [
    "a third of the ids written otherwise",
    (rows) => rows.map((row, index) => (index < 3 ? { ...row, model_id: `x-${index}` } : row)),
    "of 10 models 3 missing",
  ],
  [
    "one date lost without a word",
    (rows) => changed(rows, 1, { shutdown_date: "" }),
    "the row of model-1 no longer has a shutdown date (2027-03-04), and does not say why",
  ],
  [
    "day and month of one date swapped",
    (rows) =>
      rows.map((row, index) => (index === 0 ? { ...row, shutdown_date: "2027-04-03" } : row)),
    "the day and the month of model-1 are swapped (2027-04-03)",
  ],
  [
    "one id in capitals",
    (rows) => changed(rows, 1, { model_id: "MODEL-1" }),
    "the page still names model-1, which could not be read",
  ],
  [
    "a page that doubles",
    (rows) => [...rows, ...rows.map(({ model_id }) => ({ model_id: `other-${model_id}` }))],
    "10 models are new on a page that had 10",
  ],
])("%s is held back, with a reason and the changes", async (_what, change, reason) => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", rowsOf(10));
  const second = await run(site, first, "2026-10-02", change(rowsOf(10)));
  expect(second.catalogue).toEqual(first.catalogue);
  const [status] = second.statuses;
  expect(status).toMatchObject({ state: "stale", failure: "change" });
  expect(status?.reason).toContain(reason);
  expect(status?.held_back.length).toBeGreaterThan(0);
});

test("a fifth of the rows may change at once", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", rowsOf(10));
  const rows = changed(without(rowsOf(10), 1), 1, { shutdown_date: "2028-01-20" });
  const second = await run(site, first, "2026-10-02", rows);
  expect(second.statuses).toMatchObject([{ state: "fresh", failure: "", held_back: [] }]);
});

test("gradual losses add up over a month", async () => {
  await using site = await startPageSite();
  let state = await run(site, emptyState, "2026-10-01", rowsOf(10));
  state = await run(site, state, "2026-10-05", without(rowsOf(10), 1));
  state = await run(site, state, "2026-10-10", without(rowsOf(10), 2));
  expect(state.statuses).toMatchObject([
    { state: "stale", reason: expect.stringMatching(/weeks/) },
  ]);
  state = await run(site, state, "2026-11-20", without(rowsOf(10), 2));
  expect(state.statuses).toMatchObject([{ state: "fresh", models: 8 }]);
});

test("changes that an operator accepts are published, and do not count against the next run", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", rowsOf(10));
  const half = without(rowsOf(10), 5);
  const held = await run(site, first, "2026-10-02", half);
  expect(held.statuses).toMatchObject([{ state: "stale", models: 10 }]);
  const accepted = await run(site, held, "2026-10-03", half, { accept: ["acme"] });
  expect(accepted.statuses).toMatchObject([
    { state: "fresh", models: 5, held_back: [], accepted_at: "2026-10-03T02:00:00.000Z" },
  ]);
  const next = await run(site, accepted, "2026-10-04", without(half, 1));
  expect(next.statuses).toMatchObject([{ state: "fresh", models: 4 }]);
});

test("a page that is cut off is distinguished from one whose rows were removed", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", rowsOf(10));
  const page = deprecationPage(...rowsOf(10));
  site.pages.set("/acme", page.slice(0, page.indexOf("model-10")));
  const cut = await collect([testProvider(site)], first, { now: new Date("2026-10-02") });
  expect(cut.statuses).toMatchObject([
    { state: "stale", reason: expect.stringMatching(/cut off.* model-10 is missing/) },
  ]);
});

test("a model that is only mentioned as another one's replacement has disappeared", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", rowsOf(10));
  const rows = changed(without(rowsOf(10), 1), 1, { replacement_models: ["model-10"] });
  const second = await run(site, first, "2026-10-02", rows);
  expect(second.statuses).toMatchObject([{ state: "fresh", models: 9 }]);
});
