import { dateOrderOf } from "../extraction/date-order.ts";
import { type RolledNotice, rollUp } from "../extraction/roll-up.ts";
import type { CalendarDay, Notice } from "../notice/notice.ts";
import { PageLines } from "./named-models.ts";
import type { PageBefore, PageNow } from "./page-states.ts";
import { comparedDates, type RowChange, rowChanges } from "./row-changes.ts";
import { whyDoubtful } from "./why-doubtful.ts";
import { whyNotGone } from "./why-not-gone.ts";

/** A change that is not published until a person accepts it. */
export interface HeldRow extends RowChange {
  readonly reason: string;
  /** What the page said in the last good run, and what it says now. */
  readonly old_words: string;
  readonly new_words: string;
}

export interface JudgedRows {
  /** What is published: the page's rows, and the earlier ones of models whose change is held. */
  readonly rows: readonly Notice[];
  readonly held: readonly HeldRow[];
}

/** Decides row by row whether what a page now says is published; a doubt about one row does not hold the others. */
export function judgeRows(
  before: PageBefore,
  now: PageNow,
  isAccepted: (model_id: string) => boolean,
): JudgedRows {
  const { today } = now;
  const known = byId(before.listed);
  const found = byId(now.listed);
  const changes = Map.groupBy(rowChanges(before.listed, now.listed), ({ model_id }) => model_id);
  const notGone = whyNotGone(before, now, new PageLines(now.lines));
  const order = dateOrderOf(now.lines);
  const hasNewEnd = before.tail !== "" && now.tail !== before.tail;
  const rows: Notice[] = [];
  const held: HeldRow[] = [];
  for (const model_id of new Set([...known.keys(), ...found.keys()])) {
    const [old, current] = [known.get(model_id), found.get(model_id)];
    const own = changes.get(model_id) ?? [];
    const kept =
      current !== undefined && old !== undefined ? withPassedDays(current, old, today) : current;
    const lasting = kept === undefined || old === undefined ? own : rowChanges([old], [kept]);
    const reason = isAccepted(model_id)
      ? null
      : (notGone(model_id) ??
        (kept === undefined
          ? null
          : whyDoubtful({ old, now: kept, changes: lasting, order, today, hasNewEnd })));
    rows.push(...((reason === null ? kept : old)?.rows ?? []));
    if (reason === null) continue;
    const words = {
      reason,
      old_words: old?.source_text ?? "",
      new_words: current?.source_text ?? "",
    };
    const shown = [lasting, own].find((list) => list.length > 0) ?? [
      sameEnd(model_id, old, current),
    ];
    held.push(...shown.map((change) => ({ ...change, ...words })));
  }
  return { rows, held };
}

/** A doubt about a row whose end is the same as before, such as two dates for it. */
const sameEnd = (
  model_id: string,
  old: RolledNotice | undefined,
  now: RolledNotice | undefined,
): RowChange => ({
  model_id,
  field: "shutdown_date",
  from: old?.shutdown_date ?? "",
  to: now?.shutdown_date ?? "",
});

/** Pages drop a day once it has passed: it stays known, unless the page has something else in its place. */
function withPassedDays(now: RolledNotice, old: RolledNotice, today: CalendarDay): RolledNotice {
  const fields = (["announcement_date", "deprecation_date", "shutdown_date"] as const).filter(
    (field) => now[field] === "" && old[field] !== "" && old[field] <= today,
  );
  const hasNewDay = comparedDates.some((field) => now[field] !== "" && now[field] !== old[field]);
  if (fields.length === 0 || hasNewDay || now.shutdown_text !== "") return now;
  const { replacement_models, aliases } = now;
  const dropped = old.rows
    .filter((row) => fields.some((field) => row[field] === old[field]))
    .map((row) => ({ ...row, replacement_models, aliases }));
  return rollUp([...now.rows, ...dropped])[0] ?? now;
}

const byId = (notices: readonly RolledNotice[]): ReadonlyMap<string, RolledNotice> =>
  new Map(notices.map((notice) => [notice.model_id, notice]));
