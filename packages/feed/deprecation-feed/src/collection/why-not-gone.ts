import type { RolledNotice } from "../extraction/roll-up.ts";
import type { PageLines } from "./named-models.ts";
import type { PageBefore, PageNow } from "./page-states.ts";

/** At most this fraction of a page's models may disappear at once, or before their end within some weeks. */
const maxLoss = 0.2;

/**
 * Why a model whose row has disappeared may still be listed, or why a new one may be another model under another
 * name; null for all others. One model that disappears was withdrawn; whole sections, or many models, are more likely to
 * be unread.
 */
export function whyNotGone(
  before: PageBefore,
  now: PageNow,
  lines: PageLines,
): (model_id: string) => string | null {
  const found = new Map(now.listed.map((notice) => [notice.model_id, notice]));
  const known = new Map(before.listed.map((notice) => [notice.model_id, notice]));
  const gone = before.listed.filter(({ model_id }) => !found.has(model_id));
  const isOver = (notice: RolledNotice): boolean =>
    notice.state === "shutdown" ||
    (notice.shutdown_date !== "" && notice.shutdown_date <= now.today);
  const early = gone.filter((notice) => !isOver(notice));
  const most = Math.max(1, (before.listed.length + before.recentlyGone.size) * maxLoss);
  const tooMany = whyTooMany(before, gone, early, most);
  const lost = new Set(early.map(({ anchor }) => anchor));
  for (const { anchor } of now.listed) lost.delete(anchor);
  const isCut = before.tail !== "" && now.tail !== before.tail;
  const twins = twinsOf(
    gone,
    now.listed.filter(({ model_id }) => !known.has(model_id)),
  );
  return (model_id) => {
    const twin = twins.get(model_id);
    const notice = known.get(model_id);
    if (notice === undefined || found.has(model_id))
      return twin === undefined ? null : `it may be ${twin} under another name`;
    if (twin !== undefined) return `its row is now read as ${twin}`;
    const words = lines.naming(model_id, found.keys());
    if (words !== null) return `the page still names it, and it could not be read: "${words}"`;
    if (isOver(notice)) return gone.length > most ? tooMany : null;
    if (isCut) return "the page may be cut off: its end has changed, and the model is missing";
    if (early.length > 1 && lost.has(notice.anchor)) return "its whole section is missing";
    return tooMany;
  };
}

function whyTooMany(
  { listed, recentlyGone }: PageBefore,
  gone: readonly RolledNotice[],
  early: readonly RolledNotice[],
  most: number,
): string | null {
  if (gone.length > most) return `of ${listed.length} models ${gone.length} are missing`;
  const all = new Set([...recentlyGone, ...early.map(({ model_id }) => model_id)]).size;
  return all > most ? `of ${listed.length} models ${all} have disappeared within some weeks` : null;
}

/** New models that have the letters and digits, or the rest of the row, of one that is gone; in both directions. */
function twinsOf(
  gone: readonly RolledNotice[],
  added: readonly RolledNotice[],
): ReadonlyMap<string, string> {
  const byKey = new Map<string, string>();
  for (const notice of gone)
    for (const key of [lettersOf(notice.model_id), wordsOf(notice), rowOf(notice)])
      if (key !== "") byKey.set(key, notice.model_id);
  const twins = new Map<string, string>();
  for (const notice of added) {
    const { model_id } = notice;
    const letters = lettersOf(model_id);
    const twin =
      byKey.get(letters) ??
      byKey.get(wordsOf(notice)) ??
      byKey.get(rowOf(notice)) ??
      gone.find((one) => isVersionOf(lettersOf(one.model_id), letters))?.model_id;
    if (twin !== undefined) twins.set(model_id, twin).set(twin, model_id);
  }
  return twins;
}

const lettersOf = (id: string): string => id.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const wordsOf = ({ source_text }: RolledNotice): string => source_text.toLowerCase();
/** What a row says besides its id. */
const rowOf = (notice: RolledNotice): string =>
  wordsOf(notice).replaceAll(notice.model_id.toLowerCase(), "");
/** Whether two ids differ only by a number at the end, such as the day of a snapshot. */
function isVersionOf(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) && /^\d{4,}$/.test(long.slice(short.length));
}
