import { compareText } from "../notice/compare-text.ts";
import type { CalendarDay, Notice, PageState } from "../notice/notice.ts";
import { earliest } from "./dates.ts";

/** What a page says about a model, combined from all its rows. */
export interface RolledNotice extends Notice {
  /** The rows as they were read, in an order that does not depend on the page's. */
  readonly rows: readonly Notice[];
}

/**
 * One notice per model id, sorted by id. Of several announcements the newest counts; of its rows, one per region, the
 * earliest dates. Rows without an announcement, such as those of a table of all models, only fill its gaps.
 */
export function rollUp(rows: readonly Notice[]): readonly RolledNotice[] {
  const byModel = Map.groupBy(rows, ({ model_id }) => model_id);
  const rolled = [...byModel].map(([model_id, found]) => rollUpModel(model_id, found));
  return rolled.sort((a, b) => compareText(a.model_id, b.model_id));
}

function rollUpModel(model_id: string, found: readonly Notice[]): RolledNotice {
  const rows = distinctRows(found);
  const announcement_date =
    rows
      .map((row) => row.announcement_date)
      .sort()
      .at(-1) ?? "";
  const newest = rows.filter((row) => row.announcement_date === announcement_date);
  const undated = rows.filter((row) => row.announcement_date === "");
  const counted = [...new Set([...newest, ...undated])];
  const day = (read: (row: Notice) => CalendarDay): CalendarDay =>
    earliest(newest.map(read)) || earliest(undated.map(read));
  const shutdown_date = day((row) => row.shutdown_date);
  const texts = counted.map((row) => row.shutdown_text).filter((text) => text !== "");
  const isEverywhere = counted.some((row) => row.regions.length === 0);
  return {
    model_id,
    aliases: distinct(rows.flatMap((row) => row.aliases)),
    announcement_date,
    deprecation_date: day((row) => row.deprecation_date),
    shutdown_date,
    earliest_shutdown_date: shutdown_date === "" ? day((row) => row.earliest_shutdown_date) : "",
    state: rollUpState(counted),
    shutdown_text: shutdown_date === "" ? (texts[0] ?? "") : "",
    replacement_models: distinct(counted.flatMap((row) => row.replacement_models)),
    regions: isEverywhere ? [] : distinct(counted.flatMap((row) => row.regions)).sort(),
    anchor: newest[0]?.anchor ?? "",
    source_text: distinct(counted.map((row) => row.source_text)).join("\n"),
    rows,
  };
}

/** A model is active only if every row says so, and shut down unless some row says otherwise. */
function rollUpState(rows: readonly Notice[]): PageState {
  const states = new Set(rows.map(({ state }) => state));
  const stated = [...states].filter((state) => state !== "");
  if (stated.length === 1 && stated[0] !== "active") return stated[0] ?? "";
  if (states.size === 1) return stated[0] ?? "";
  return stated.length > 1 ? "deprecated" : "";
}

/** Sorted, so that a page that only reorders its rows says nothing new. */
function distinctRows(rows: readonly Notice[]): readonly Notice[] {
  const byText = new Map(rows.map((row) => [JSON.stringify(row), row]));
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, row]) => row);
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
