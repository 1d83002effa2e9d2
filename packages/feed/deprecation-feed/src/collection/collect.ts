import { dayMs, dayOf } from "../notice/calendar-day.ts";
import { compareText } from "../notice/compare-text.ts";
import type { Provider } from "../notice/notice.ts";
import { addChanges } from "./add-changes.ts";
import type { Change, KnownNotice } from "./catalogue.ts";
import { ExtractionThread } from "./extraction-thread.ts";
import type { FeedState } from "./feed-state.ts";
import { programVersion } from "./program-version.ts";
import type { ProviderStatus } from "./provider-status.ts";
import { type FetchLimits, type Reading, readProvider } from "./read-provider.ts";
import { updateNotices, updateStatuses } from "./update-notices.ts";
import type { PageBefore } from "./why-refused.ts";

export interface CollectOptions {
  /** The time of the run. @default now */
  readonly now?: Date;
  readonly limits?: FetchLimits;
  /** Slugs of providers whose page is accepted however much it has changed. @default [] */
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
      const isAccepted = options.accept?.includes(slug) ?? false;
      const reading = await readProvider(provider, {
        thread,
        limits: options.limits ?? {},
        userAgent: `deprecation-feed/${program}`,
        signal: options.signal,
        // To be accepted, a page that was held back must be read again.
        validators: program === state.program && !isAccepted ? status : null,
        before: isAccepted ? null : pageBefore(state, slug, now),
      });
      const result = withStatuses(
        applyReading(provider, reading, notices, status, now),
        notices,
        now,
      );
      return isAccepted && reading.kind === "read"
        ? { ...result, status: { ...result.status, accepted_at: now } }
        : result;
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
/** Limit per status: a page can have at least as many changes as rows. */
const mostHeldBack = 500;

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
      (change.field === "last_observed" ? change.to : change.from) !== "",
  );
  return { listed, tail, recentlyChanged: new Set(recent.map(({ model_id }) => model_id)) };
}

const neverRead = {
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

function applyReading(
  provider: Provider,
  reading: Reading,
  known: readonly KnownNotice[],
  status: ProviderStatus | null,
  now: string,
): ProviderResult {
  const { label, slug } = provider;
  const before = status ?? neverRead;
  const base = { ...before, provider: label, slug, last_checked: now };
  const good = { state: "fresh", reason: "", failure: "", held_back: [], last_good: now } as const;
  switch (reading.kind) {
    case "refused": {
      const { reason, failure } = reading;
      const held_back = ("held_back" in reading ? reading.held_back : undefined) ?? [];
      const stale = {
        state: "stale" as const,
        reason,
        failure,
        held_back: held_back.slice(0, mostHeldBack),
      };
      return { notices: known, changes: [], status: { ...base, ...stale } };
    }
    case "unchanged": {
      return { notices: known, changes: [], status: { ...base, ...good } };
    }
    case "read": {
      const lastSeen = dayOf(new Date(before.last_good || now));
      const update = updateNotices(provider, known, reading.rows, { now, lastSeen });
      const models = update.notices.filter(({ last_observed }) => last_observed === "").length;
      return { ...update, status: { ...base, ...good, models, ...reading.page } };
    }
  }
}

const compareNotices = (a: KnownNotice, b: KnownNotice): number =>
  compareText(a.slug, b.slug) || compareText(a.model_id, b.model_id);
