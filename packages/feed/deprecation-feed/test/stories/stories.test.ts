import { collect, type FeedState, type Provider } from "@proj/deprecation-feed";
import { expect, test } from "vitest";
import { emptyState } from "../../src/collection/feed-state.ts";
import { startPageSite } from "../page-site.ts";
import { type Story, stories } from "./stories.ts";

const maxWeeks = Math.max(...stories.map(({ weeks }) => weeks.length));
const slugOf = (index: number): string => `story-${index}`;

/** Tells all stories at once, a page each; the extractor is the one of the form's provider. */
async function tellAll(): Promise<readonly FeedState[]> {
  await using site = await startPageSite();
  const providers = stories.map(
    ({ form }, index): Provider => ({
      ...form.provider,
      slug: slugOf(index),
      source_url: `${site.url}/${index}`,
    }),
  );
  const states: FeedState[] = [];
  for (let week = 0; week < maxWeeks; week++) {
    for (const [index, { form, weeks }] of stories.entries())
      site.pages.set(`/${index}`, form.write(weeks[week] ?? weeks.at(-1) ?? []));
    const now = new Date(Date.UTC(2026, 8, 2 + 7 * week, 2));
    states.push(await collect(providers, states.at(-1) ?? emptyState, { now }));
  }
  return states;
}

/** What went wrong in a story; null: all of its news was published in the week it was there. */
function whyUntold({ ends }: Story, index: number, states: readonly FeedState[]): string | null {
  for (const { statuses } of states) {
    const status = statuses.find(({ slug }) => slug === slugOf(index));
    if (status?.state !== "fresh")
      return `${status?.reason} ${status?.held_back.map(({ reason }) => reason).join("; ")}${status?.unread.map(({ words }) => words).join("; ")}`;
  }
  const notices = states.at(-1)?.catalogue.notices.filter(({ slug }) => slug === slugOf(index));
  for (const [id, end] of Object.entries(ends)) {
    const found = notices?.find(({ model_id }) => model_id === id)?.shutdown_date;
    if (found !== end) return `${id} ends on "${found}", not on "${end}"`;
  }
  return null;
}

test("ordinary news is published on the day it is there", async () => {
  expect(stories.length).toBeGreaterThanOrEqual(40);
  const states = await tellAll();
  const untold = stories.flatMap((story, index) => {
    const reason = whyUntold(story, index, states);
    return reason === null ? [] : [`${story.name}: ${reason}`];
  });
  expect(untold).toEqual([]);
});
