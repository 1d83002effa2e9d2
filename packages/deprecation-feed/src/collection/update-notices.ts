import { isDeepStrictEqual } from "node:util";
import { type RolledNotice, rollUp } from "../extraction/roll-up.ts";
import type { CalendarDay, Notice, Provider } from "../notice.ts";
import type { Change, KnownNotice } from "./catalogue.ts";

export interface Update {
  readonly notices: readonly KnownNotice[];
  readonly changes: readonly Change[];
}

export interface UpdateTime {
  /** Of this run, in ISO 8601. */
  readonly now: string;
  /** The day of the provider's last good run before this one; what is gone now was there then. */
  readonly lastSeen: CalendarDay;
}

const movingDates = ["announcement_date", "deprecation_date", "shutdown_date"] as const;

/** What is known of a provider's models after a good reading of its page. */
export function updateNotices(
  provider: Provider,
  known: readonly KnownNotice[],
  rows: readonly Notice[],
  { now, lastSeen }: UpdateTime,
): Update {
  const before = new Map(known.map((notice) => [notice.model_id, notice]));
  const changes: Change[] = [];
  const listed = rollUp(rows).map((rolled) => {
    const old = before.get(rolled.model_id);
    before.delete(rolled.model_id);
    const notice = describe(provider, rolled, old?.date_published ?? now, now);
    if (old === undefined) return notice;
    changes.push(...movedDates(old, notice, now));
    return saysTheSame(old, notice) ? old : notice;
  });
  const gone = [...before.values()].map((old) => {
    if (old.last_observed !== "") return old;
    const notice = { ...old, last_observed: lastSeen, date_modified: now };
    changes.push(changeOf(old, notice, "last_observed", now));
    return notice;
  });
  return { notices: [...listed, ...gone], changes };
}

function describe(
  provider: Provider,
  rolled: RolledNotice,
  date_published: string,
  date_modified: string,
): KnownNotice {
  const { label, slug, page_url } = provider;
  const url = rolled.anchor === "" ? page_url : new URL(`#${rolled.anchor}`, page_url).href;
  const observed = { date_published, date_modified, last_observed: "" };
  return { provider: label, slug, ...rolled, url, ...observed };
}

const saysTheSame = (old: KnownNotice, notice: KnownNotice): boolean =>
  isDeepStrictEqual(old, { ...notice, date_modified: old.date_modified });

function movedDates(old: KnownNotice, notice: KnownNotice, now: string): Change[] {
  return [...movingDates, "last_observed" as const]
    .filter((field) => old[field] !== notice[field])
    .map((field) => changeOf(old, notice, field, now));
}

function changeOf(
  old: KnownNotice,
  notice: KnownNotice,
  field: Change["field"],
  date_observed: string,
): Change {
  const { provider, slug, model_id, url } = notice;
  return {
    provider,
    slug,
    model_id,
    field,
    from: old[field],
    to: notice[field],
    date_observed,
    url,
  };
}
