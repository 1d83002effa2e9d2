import { dayOf } from "../calendar-day.ts";
import { compareText } from "../compare-text.ts";
import type { Provider } from "../notice.ts";
import { programVersion } from "../program-version.ts";
import { addChanges } from "./add-changes.ts";
import type { Change, KnownNotice } from "./catalogue.ts";
import type { FeedState } from "./feed-state.ts";
import type { ProviderStatus } from "./provider-status.ts";
import { type FetchLimits, type Reading, readProvider } from "./read-provider.ts";
import { updateNotices } from "./update-notices.ts";

export interface CollectOptions {
  /** The time of the run. @default the present */
  readonly now?: Date;
  readonly limits?: FetchLimits;
  /** Slugs of providers whose page may have far fewer models than in the last good run. @default [] */
  readonly acceptFewer?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads every provider's page and brings what is known up to date. A page that cannot be read, or
 * not as a list of models, leaves that provider's notices as they are and marks it stale.
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
  const results = await Promise.all(
    providers.map(async (provider) => {
      const { slug } = provider;
      const status = state.statuses.find((entry) => entry.slug === slug) ?? null;
      const reading = await readProvider(provider, {
        limits: options.limits ?? {},
        userAgent: `deprecation-feed/${program}`,
        signal: options.signal,
        validators: program === state.program ? status : null,
        modelsBefore: options.acceptFewer?.includes(slug) ? 0 : (status?.models ?? 0),
      });
      const notices = known.get(slug) ?? [];
      known.delete(slug);
      return applyReading(provider, reading, notices, status, now);
    }),
  );
  // What an earlier program knew of a provider that this one does not read stays.
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
  const before = status ?? { last_good: "", models: 0, etag: null, last_modified: null };
  const base = { ...before, provider: label, slug, last_checked: now };
  switch (reading.kind) {
    case "refused": {
      const { reason } = reading;
      return { notices: known, changes: [], status: { ...base, state: "stale", reason } };
    }
    case "unchanged": {
      const good = { state: "fresh", reason: "", last_good: now } as const;
      return { notices: known, changes: [], status: { ...base, ...good } };
    }
    case "read": {
      const lastSeen = dayOf(new Date(before.last_good || now));
      const update = updateNotices(provider, known, reading.rows, { now, lastSeen });
      const models = update.notices.filter(({ last_observed }) => last_observed === "").length;
      const good = { state: "fresh", reason: "", last_good: now, models } as const;
      return { ...update, status: { ...base, ...good, ...reading.validators } };
    }
  }
}

const compareNotices = (a: KnownNotice, b: KnownNotice): number =>
  compareText(a.slug, b.slug) || compareText(a.model_id, b.model_id);
