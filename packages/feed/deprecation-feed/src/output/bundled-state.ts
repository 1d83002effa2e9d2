import { readFile } from "node:fs/promises";
import type { FeedState } from "../collection/feed-state.ts";
import { updateNotices } from "../collection/update-notices.ts";
import { unknownFacts } from "../extraction/new-notice.ts";
import type { Notice } from "../notice/notice.ts";
import { providers } from "../providers/providers.ts";

/** A row of a provider's page; members that are empty are left out. */
interface BundledRow extends Partial<Notice> {
  readonly slug: string;
  readonly model_id: string;
}

/** Published with the sources, like the files of the web page. */
const file = new URL("../../src/output/bundled-rows.jsonl", import.meta.url);

/**
 * What the providers' pages had when this version was made: a first run that starts from it knows what is new. Of their
 * words it has only the cells with days, which tell a column that now means something else.
 */
export async function bundledState(): Promise<FeedState> {
  const [first = "", ...lines] = (await readFile(file, "utf8")).trimEnd().split("\n");
  const { day }: { readonly day: string } = JSON.parse(first);
  const rows = Map.groupBy(
    lines.map((line): BundledRow => JSON.parse(line)),
    ({ slug }) => slug,
  );
  const now = `${day}T02:00:00.000Z`;
  const empty = { ...unknownFacts, aliases: [], anchor: "", source_text: "" };
  const known = providers.flatMap((provider) => {
    const own = rows
      .get(provider.slug)
      ?.map(({ slug: _, ...row }): Notice => ({ ...empty, ...row }));
    if (own === undefined) return [];
    return [{ provider, ...updateNotices(provider, [], own, { now, lastSeen: day }) }];
  });
  return {
    program: "",
    checked_at: now,
    catalogue: { notices: known.flatMap(({ notices }) => notices), changes: [] },
    statuses: known.map(({ provider: { label, slug }, notices }) => ({
      provider: label,
      slug,
      state: "fresh",
      reason: "",
      failure: "",
      held_back: [],
      unread: [],
      accepted_unread: [],
      accepted_at: "",
      tail: "",
      last_checked: now,
      last_good: now,
      models: notices.length,
      etag: null,
      last_modified: null,
    })),
    pages: new Map(),
  };
}
