import { looksLikeModelId } from "../extraction/model-ids.ts";
import type { RolledNotice } from "../extraction/roll-up.ts";
import type { Notice } from "../notice/notice.ts";
import { whyMisread } from "./misread-rows.ts";
import { isLoss, type RowChange } from "./row-changes.ts";

/** At most this fraction of the rows of the last good run may vanish, move or lose dates within `windowDays`. */
const largestLoss = 0.2;
/** At most this many rows may be new, as a fraction of the known rows. */
const largestGrowth = 0.5;

/** Why the rows read from a page cannot be a list of models; null if they can. */
export function whyNoList(notices: readonly Notice[]): string | null {
  if (notices.length === 0) return "the page has no notices";
  const prose = notices.find(({ model_id }) => !looksLikeModelId(model_id))?.model_id;
  if (prose === undefined) return null;
  return `the page has prose where model ids were: "${prose.slice(0, 80)}"`;
}

/** The page in earlier runs. */
export interface PageBefore {
  /** The models on it in the last good run. */
  readonly listed: readonly RolledNotice[];
  /** Models that recently vanished, moved or lost dates: gradual losses count together. */
  readonly recentlyChanged: ReadonlySet<string>;
  /** The end of the page (`tailOf`); empty if it cannot be compared. */
  readonly tail: string;
}

export interface PageNow {
  readonly listed: readonly RolledNotice[];
  readonly lines: readonly string[];
  readonly tail: string;
}

/**
 * Why the changes of a page look like a new layout rather than new content, so that a person has to look at them
 * first. Null if they are plausible.
 */
export function whyHeld(
  before: PageBefore,
  now: PageNow,
  changes: readonly RowChange[],
): string | null {
  const rows = before.listed.length;
  if (rows === 0) return null;
  const losses = changes.filter(isLoss);
  const lost = new Set(losses.map(({ model_id }) => model_id));
  const most = Math.max(1, rows * largestLoss);
  if (lost.size > most) return `${countsOf(losses, rows)}: more than a fifth at once`;
  const texts = { before: byId(before.listed), after: byId(now.listed), lines: now.lines };
  for (const change of losses) {
    const reason = whyMisread(change, texts);
    if (reason !== null) return reason;
  }
  const renamed = whyRenamed(changes, texts.before, texts.after);
  if (renamed !== null) return renamed;
  const contradiction = now.listed.find(
    (notice) => contradicts(notice) && !contradicts(texts.before.get(notice.model_id)),
  );
  if (contradiction !== undefined)
    return `the page now gives two shutdown dates for ${contradiction.model_id}`;
  const isCut = before.tail !== "" && now.tail !== before.tail;
  const missing = losses.find(({ field, to }) => field === "model" && to === "");
  if (isCut && missing !== undefined)
    return `the page may be cut off: its end has changed, and ${missing.model_id} is missing`;
  const eroded = new Set([...lost, ...before.recentlyChanged]);
  if (lost.size > 0 && eroded.size > most)
    return `${countsOf(losses, rows)}: together with the last weeks, more than a fifth`;
  const added = changes.filter(({ field, from }) => field === "model" && from === "").length;
  if (added > Math.max(5, rows * largestGrowth))
    return `${added} models are new on a page that had ${rows}`;
  return null;
}

const byId = (notices: readonly RolledNotice[]): ReadonlyMap<string, RolledNotice> =>
  new Map(notices.map((notice) => [notice.model_id, notice]));

/** A row that only changed its id is neither a withdrawal nor a new model. */
function whyRenamed(
  changes: readonly RowChange[],
  before: ReadonlyMap<string, RolledNotice>,
  after: ReadonlyMap<string, RolledNotice>,
): string | null {
  const gone = changes.filter(({ field, to }) => field === "model" && to === "");
  const rows = new Map(gone.map(({ model_id }) => [before.get(model_id)?.source_text, model_id]));
  for (const { field, from, model_id } of changes) {
    const old = rows.get(after.get(model_id)?.source_text);
    if (field === "model" && from === "" && old !== undefined)
      return `the row of ${old} is now read as ${model_id}`;
  }
  return null;
}

/** Whether the list of all models and the newest announcement give different days for the same regions. */
function contradicts(notice: RolledNotice | undefined): boolean {
  const days = (notice?.rows ?? [])
    .filter(
      (row) => row.announcement_date === "" || row.announcement_date === notice?.announcement_date,
    )
    .filter(({ regions, shutdown_date }) => regions.length === 0 && shutdown_date !== "");
  return new Set(days.map(({ shutdown_date }) => shutdown_date)).size > 1;
}

function countsOf(losses: readonly RowChange[], rows: number): string {
  const models = (isMeant: (change: RowChange) => boolean): number =>
    new Set(losses.filter(isMeant).map(({ model_id }) => model_id)).size;
  const counts = [
    [models(({ field }) => field === "model"), "missing"],
    [models(({ field, to }) => field !== "model" && to === ""), "without a date that they had"],
    [models(({ field, to }) => field !== "model" && to !== ""), "with another date"],
  ] as const;
  const words = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `of ${rows} models ${words.join(", ")}`;
}
