import { isDeepStrictEqual } from "node:util";
import { type RolledNotice, rollUp } from "../extraction/roll-up.ts";
import type { CalendarDay, Notice, Provider } from "../notice/notice.ts";
import type { Change, KnownNotice } from "./catalogue.ts";
import { modelStatus } from "./model-status.ts";

export interface Update {
  readonly notices: readonly KnownNotice[];
  readonly changes: readonly Change[];
}

export interface UpdateTime {
  /** The time of this run in ISO 8601. */
  readonly now: string;
  /** The day of the provider's previous good run; models that are gone now were listed then. */
  readonly lastSeen: CalendarDay;
}

const moving = [
  "announcement_date",
  "deprecation_date",
  "shutdown_date",
  "earliest_shutdown_date",
  "replacement_models",
  "last_observed",
] as const;

/** A provider's notices after a good reading of its page. */
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
    changes.push(...changesOf(old, notice, now));
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
  const known = { provider: label, slug, ...rolled, url, ...observed };
  return { ...known, status: modelStatus(known, date_modified.slice(0, 10)) };
}

const saysTheSame = (old: KnownNotice, notice: KnownNotice): boolean =>
  isDeepStrictEqual(old, { ...notice, date_modified: old.date_modified, status: old.status });

function changesOf(old: KnownNotice, notice: KnownNotice, now: string): Change[] {
  return moving
    .filter((field) => textOf(old[field]) !== textOf(notice[field]))
    .map((field) => changeOf(old, notice, field, now));
}

/**
 * Updates the statuses, which change with the page and with time. A changed status is a change of its own, except for a
 * model that disappeared from its page or came back, which is one already.
 */
export function updateStatuses(
  notices: readonly KnownNotice[],
  known: readonly KnownNotice[],
  now: string,
): Update {
  const before = new Map(known.map((notice) => [notice.model_id, notice]));
  const changes: Change[] = [];
  const updated = notices.map((notice) => {
    const status = modelStatus(notice, now.slice(0, 10));
    const old = before.get(notice.model_id);
    if (old === undefined || old.status === status) return { ...notice, status };
    const changed = { ...notice, status, date_modified: now };
    if (![old.status, status].includes("withdrawn"))
      changes.push(changeOf(old, changed, "status", now));
    return changed;
  });
  return { notices: updated, changes };
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
    from: textOf(old[field]),
    to: textOf(notice[field]),
    date_observed,
    url,
  };
}

const textOf = (value: string | readonly string[]): string =>
  typeof value === "string" ? value : value.join(", ");
