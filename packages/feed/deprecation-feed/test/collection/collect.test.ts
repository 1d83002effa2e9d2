import { collect, type FeedState, type Notice } from "@proj/deprecation-feed";
import { expect, test } from "vitest";
import { emptyState } from "../../src/collection/feed-state.ts";
import { deprecationPage, type PageSite, startPageSite, testProvider } from "../page-site.ts";

const on = (day: string): Date => new Date(`${day}T02:00:00.000Z`);

/** Runs on the given day, with the page as it is that day. */
async function run(
  site: PageSite,
  state: FeedState,
  day: string,
  ...rows: readonly Partial<Notice>[]
) {
  site.pages.set("/acme", deprecationPage(...rows));
  return collect([testProvider(site)], state, { now: on(day) });
}

const dated = (model_id: string, shutdown_date = "2027-01-01") => ({ model_id, shutdown_date });

test("a notice keeps the day it was first seen, and its time of change while nothing changes", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", dated("m-1"));
  const second = await run(site, first, "2026-10-02", dated("m-1"));
  expect(second.catalogue).toEqual(first.catalogue);
  expect(second.catalogue.notices).toMatchObject([
    {
      provider: "Acme",
      model_id: "m-1",
      url: "https://docs.acme.example/deprecations#list",
      date_published: "2026-10-01T02:00:00.000Z",
      date_modified: "2026-10-01T02:00:00.000Z",
      last_observed: "",
    },
  ]);
});

test("a date that moved updates the notice, and is recorded as a change", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", dated("m-1"));
  const second = await run(site, first, "2026-10-02", dated("m-1", "2027-03-01"));
  expect(second.catalogue.notices).toMatchObject([
    {
      shutdown_date: "2027-03-01",
      date_published: "2026-10-01T02:00:00.000Z",
      date_modified: "2026-10-02T02:00:00.000Z",
    },
  ]);
  expect(second.catalogue.changes).toMatchObject([
    {
      model_id: "m-1",
      field: "shutdown_date",
      from: "2027-01-01",
      to: "2027-03-01",
      date_observed: "2026-10-02T02:00:00.000Z",
    },
  ]);
});

test("another replacement updates the notice, and is recorded as a change", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", dated("m-1"));
  const second = await run(site, first, "2026-10-02", {
    ...dated("m-1"),
    replacement_models: ["m-2"],
  });
  expect(second.catalogue.notices[0]?.date_modified).toBe("2026-10-02T02:00:00.000Z");
  expect(second.catalogue.changes).toMatchObject([
    { field: "replacement_models", from: "", to: "m-2" },
  ]);
});

test("a status changes with the page and with time, and is recorded as a change", async () => {
  await using site = await startPageSite();
  const active = {
    model_id: "m-1",
    state: "active",
    earliest_shutdown_date: "2027-07-24",
    shutdown_text: "not sooner than July 24, 2027",
  } as const;
  const first = await run(site, emptyState, "2026-10-01", active);
  expect(first.catalogue.notices).toMatchObject([{ status: "active" }]);
  const sooner = { ...active, earliest_shutdown_date: "2026-12-24" };
  const second = await run(site, first, "2026-10-02", sooner);
  expect(second.catalogue.changes).toMatchObject([
    { field: "earliest_shutdown_date", from: "2027-07-24", to: "2026-12-24" },
  ]);
  const third = await run(site, second, "2026-10-03", dated("m-1", "2026-10-05"));
  expect(third.catalogue.notices).toMatchObject([{ status: "deprecated" }]);
  expect(third.catalogue.changes.at(-1)).toMatchObject({
    field: "status",
    from: "active",
    to: "deprecated",
  });
  const fourth = await run(site, third, "2026-10-05", dated("m-1", "2026-10-05"));
  expect(fourth.catalogue.notices).toMatchObject([
    { status: "shutdown", date_modified: "2026-10-05T02:00:00.000Z" },
  ]);
  expect(fourth.catalogue.changes.at(-1)).toMatchObject({ field: "status", to: "shutdown" });
});

test("a date that moves twice on one day is one change, and none if it moves back", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", dated("m-1"));
  const second = await run(site, first, "2026-10-02", dated("m-1", "2027-03-01"));
  const third = await run(site, second, "2026-10-02", dated("m-1", "2027-04-01"));
  expect(third.catalogue.changes).toMatchObject([{ from: "2027-01-01", to: "2027-04-01" }]);
  const fourth = await run(site, third, "2026-10-02", dated("m-1"));
  expect(fourth.catalogue.changes).toEqual([]);
});

test("a notice that the provider removes is kept, with the day it was last seen", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", dated("m-1"), dated("m-2"));
  const second = await run(site, first, "2026-10-05", dated("m-2"));
  expect(second.catalogue.notices).toMatchObject([
    { model_id: "m-1", last_observed: "2026-10-01", date_modified: "2026-10-05T02:00:00.000Z" },
    { model_id: "m-2", last_observed: "" },
  ]);
  expect(second.catalogue.changes).toMatchObject([
    { model_id: "m-1", field: "last_observed", from: "", to: "2026-10-01" },
  ]);
  const third = await run(site, second, "2026-10-06", dated("m-2"));
  expect(third.catalogue).toEqual(second.catalogue);
});

test("a notice that comes back is as before, except for the change", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", dated("m-1"), dated("m-2"));
  const gone = await run(site, first, "2026-10-02", dated("m-2"));
  const back = await run(site, gone, "2026-10-03", dated("m-1"), dated("m-2"));
  expect(back.catalogue.notices[0]).toMatchObject({
    model_id: "m-1",
    last_observed: "",
    date_published: "2026-10-01T02:00:00.000Z",
  });
  expect(back.catalogue.changes.at(-1)).toMatchObject({
    field: "last_observed",
    from: "2026-10-01",
    to: "",
  });
});

test("the same id from two providers gives two notices", async () => {
  await using site = await startPageSite();
  for (const slug of ["acme", "bolt"]) site.pages.set(`/${slug}`, deprecationPage(dated("m-1")));
  const providers = [testProvider(site, "bolt"), testProvider(site, "acme")];
  const { catalogue } = await collect(providers, emptyState);
  expect(catalogue.notices.map(({ slug, model_id }) => [slug, model_id])).toEqual([
    ["acme", "m-1"],
    ["bolt", "m-1"],
  ]);
});

test("a provider that is no longer read keeps its notices", async () => {
  await using site = await startPageSite();
  const first = await run(site, emptyState, "2026-10-01", dated("m-1"));
  const second = await collect([], first, { now: on("2026-10-02") });
  expect(second.catalogue).toEqual(first.catalogue);
});
