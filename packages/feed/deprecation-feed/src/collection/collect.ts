import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { UnreadLine } from "../extraction/unread.ts";
import { dayMs, dayOf } from "../notice/calendar-day.ts";
import { compareText } from "../notice/compare-text.ts";
import type { Provider } from "../notice/notice.ts";
import { addChanges } from "./add-changes.ts";
import type { Change, KnownNotice } from "./catalogue.ts";
import { ExtractionThread } from "./extraction-thread.ts";
import type { FeedState } from "./feed-state.ts";
import type { HeldRow } from "./judge-rows.ts";
import type { PageBefore } from "./page-states.ts";
import { updatePageText } from "./page-text.ts";

import type { ProviderStatus } from "./provider-status.ts";
import { type FetchLimits, type Reading, readProvider } from "./read-provider.ts";
import { updateNotices, updateStatuses } from "./update-notices.ts";

export interface CollectOptions {
  /** The time of the run. @default now */
  readonly now?: Date;
  readonly limits?: FetchLimits;
  /** Slugs of providers whose page is accepted however much it has changed, or `slug:model_id` for one row. @default [] */
  readonly accept?: readonly string[];
  /** Slugs of the providers to read; the others stay as they are. @default all */
  readonly only?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads every provider's page and updates the catalogue. A page that cannot be read, or not as a list of models,
 * leaves the provider's notices unchanged and marks the provider stale.
 * @throws the signal's reason
 */
export async function collect(
  providers: readonly Provider[],
  state: FeedState,
  options: CollectOptions = {},
): Promise<FeedState> {
  const now = (options.now ?? new Date()).toISOString();
  const program = programVersion();
  const pages = new Map(state.pages);
  const known = Map.groupBy(state.catalogue.notices, ({ slug }) => slug);
  await using thread = new ExtractionThread();
  const results = await Promise.all(
    providers.map(async (provider) => {
      const { slug } = provider;
      const status = state.statuses.find((entry) => entry.slug === slug) ?? null;
      const notices = known.get(slug) ?? [];
      known.delete(slug);
      if (status !== null && options.only?.includes(slug) === false)
        return { notices, changes: [], status };
      const accepted = options.accept?.filter((entry) => entry.split(":", 1)[0] === slug) ?? [];
      const isAccepted = (model_id?: string): boolean =>
        accepted.includes(slug) || accepted.includes(`${slug}:${model_id}`);
      const reading = await readProvider(provider, {
        thread,
        limits: options.limits ?? {},
        userAgent: `deprecation-feed/${program}`,
        signal: options.signal,
        // To be accepted, a page must be read again.
        validators: program === state.program && accepted.length === 0 ? status : null,
        before: pageBefore(state, slug, now),
        judging: { today: now.slice(0, 10), isAccepted },
      });
      if (reading.kind === "read")
        pages.set(slug, updatePageText(pages.get(slug), reading.lines, now.slice(0, 10)));
      return withStatuses(
        applyReading(provider, reading, notices, status, { now, isAccepted: isAccepted() }),
        notices,
        now,
      );
    }),
  );
  // Notices of providers that this version does not read are kept.
  const kept = [...known.values()].flat();
  return {
    program,
    checked_at: now,
    catalogue: {
      notices: [...kept, ...results.flatMap(({ notices }) => notices)].sort(compareNotices),
      changes: addChanges(
        state.catalogue.changes,
        results.flatMap(({ changes }) => changes),
      ),
    },
    statuses: results.map(({ status }) => status),
    pages,
  };
}

function withStatuses(
  { notices, changes, status }: ProviderResult,
  known: readonly KnownNotice[],
  now: string,
): ProviderResult {
  const update = updateStatuses(notices, known, now);
  return { notices: update.notices, changes: [...changes, ...update.changes], status };
}

/** Losses within this many days are added up. */
const windowDays = 30;
/** Limit per status for held rows, and for unread lines. */
const maxListed = 500;

function pageBefore({ catalogue, statuses }: FeedState, slug: string, now: string): PageBefore {
  const { accepted_at = "", tail = "" } = statuses.find((entry) => entry.slug === slug) ?? {};
  const windowStart = new Date(Date.parse(now) - windowDays * dayMs).toISOString();
  const since = [accepted_at, windowStart].sort().at(-1) ?? windowStart;
  const isOf = (entry: { readonly slug: string }): boolean => entry.slug === slug;
  const listed = catalogue.notices.filter((notice) => isOf(notice) && notice.last_observed === "");
  const recent = catalogue.changes.filter(
    (change) =>
      isOf(change) &&
      change.date_observed > since &&
      change.field === "last_observed" &&
      change.to !== "",
  );
  return { listed, tail, recentlyGone: new Set(recent.map(({ model_id }) => model_id)) };
}

const neverRead = {
  accepted_unread: [],
  last_good: "",
  models: 0,
  accepted_at: "",
  tail: "",
  etag: null,
  last_modified: null,
} as const;

interface ProviderResult {
  readonly notices: readonly KnownNotice[];
  readonly changes: readonly Change[];
  readonly status: ProviderStatus;
}

interface Run {
  readonly now: string;
  /** Whether a person has accepted the whole page. */
  readonly isAccepted: boolean;
}

function applyReading(
  provider: Provider,
  reading: Reading,
  known: readonly KnownNotice[],
  status: ProviderStatus | null,
  { now, isAccepted }: Run,
): ProviderResult {
  const { label, slug } = provider;
  const before = status ?? neverRead;
  const base = { ...before, provider: label, slug, last_checked: now };
  const nothing = { reason: "", failure: "", held_back: [], unread: [] } as const;
  const good = { ...nothing, state: "fresh", last_good: now } as const;
  switch (reading.kind) {
    case "refused": {
      const { reason, failure } = reading;
      const stale = { ...nothing, state: "stale", reason, failure } as const;
      return { notices: known, changes: [], status: { ...base, ...stale } };
    }
    case "unchanged": {
      return { notices: known, changes: [], status: { ...base, ...good } };
    }
    case "read": {
      const { rows, held, page } = reading;
      const accepted_unread = isAccepted
        ? reading.unread.map(keyOf)
        : before.accepted_unread.filter((key) => reading.unread.map(keyOf).includes(key));
      const unread = reading.unread.filter((line) => !accepted_unread.includes(keyOf(line)));
      const lastSeen = dayOf(new Date(before.last_good || now));
      const update = updateNotices(provider, known, rows, { now, lastSeen });
      const models = update.notices.filter(({ last_observed }) => last_observed === "").length;
      const read = { ...base, ...good, models, ...page, ...gaps(held, unread), accepted_unread };
      return { ...update, status: isAccepted ? { ...read, accepted_at: now } : read };
    }
  }
}

/** The members of a status with gaps; none if there are none. */
function gaps(held: readonly HeldRow[], unread: readonly UnreadLine[]): Partial<ProviderStatus> {
  if (held.length + unread.length === 0) return {};
  const models = new Set(held.map(({ model_id }) => model_id)).size;
  const counts = [
    ...(models > 0 ? [`${models} ${models === 1 ? "row waits" : "rows wait"} to be accepted`] : []),
    ...(unread.length > 0
      ? [`${unread.length} ${unread.length === 1 ? "line" : "lines"} could not be read`]
      : []),
  ];
  return {
    state: "read with gaps",
    // So that the next run reads the page again, even if it has not changed.
    etag: null,
    last_modified: null,
    failure: "change",
    reason: counts.join(", "),
    held_back: held.slice(0, maxListed),
    unread: unread.slice(0, maxListed),
  };
}

const keyOf = ({ place, words }: UnreadLine): string =>
  hash("sha256", `${place}\n${words}`, "base64url").slice(0, 16);

const compareNotices = (a: KnownNotice, b: KnownNotice): number =>
  compareText(a.slug, b.slug) || compareText(a.model_id, b.model_id);

/** This package's version; works from `src` and from `dist`. */
function programVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const isNamed = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isNamed ? String(manifest.version) : "0.0.0";
}
