import type { Notice } from "../notice/notice.ts";
import { dayAtStart, daysNamed, isLowerBound, writesDay, writesPartOfDay } from "./dates.ts";
import { idsWritten, isAboutPart } from "./id-cells.ts";
import { maySpeakOfEnd, speaksOfEnd } from "./lifecycle-words.ts";
import type { Page, Section } from "./page.ts";
import { give, ReadModels } from "./read-models.ts";
import { type Statement, statementsOf } from "./statements.ts";
import { unreadInTable } from "./unread-rows.ts";

/** A part of a page that seems to give the end of a model, although no notice says so. */
export interface UnreadLine {
  /** The headings above it. */
  readonly place: string;
  readonly words: string;
}

const maxWords = 300;

/**
 * The dated rows about models, and the sentences, items and cards with an id, a word of ending and a day, that a page's
 * notices do not cover.
 */
export function unreadLines({ sections }: Page, notices: readonly Notice[]): readonly UnreadLine[] {
  const read = new ReadModels(notices);
  return sections.flatMap((section) => {
    const words = [
      ...section.blocks.flatMap((block, index) => {
        if (block.kind !== "table") return [];
        const before = section.blocks[index - 1];
        const leadIn = before?.kind === "paragraph" ? before.words.text : "";
        return unreadInTable(block.grid, section, leadIn, read);
      }),
      ...statementsOf(section)
        .filter((statement) => isUnread(statement, section, read))
        .map((statement) => statement.words.replaceAll("`", "")),
    ];
    const place = section.headings.map(({ text }) => text).join(" › ");
    return [...new Set(words)].map((text) => ({ place, words: text.slice(0, maxWords) }));
  });
}

function isUnread({ words, context }: Statement, section: Section, read: ReadModels): boolean {
  const saysEnd = maySpeakOfEnd(words) || isLowerBound(words) || speaksOfEnd(context);
  if (!saysEnd || !(writesDay(words) || writesPartOfDay(words))) return false;
  const ids = idsWritten(words).filter((id) => !isTarget(id, words, read));
  if (ids.length === 0 || isAboutPart(words)) return false;
  if (!writesDay(words) && ids.every((id) => read.isReplacement(id))) return false;
  const around = read.inSection(section.headings.at(-1)?.anchor ?? "");
  const written = daysNamed(words, section.dateOrder);
  const announced = section.headings.map(({ text }) => dayAtStart(text, section.dateOrder));
  const days = written.filter(
    (day) => !announced.includes(day) && !give(around, day, ["announcement_date"]),
  );
  if (written.length > 0 && days.length === 0) return false;
  const own = ids.flatMap((id) => read.named(id));
  if (own.length === 0) return true;
  if (ids.some((id) => read.named(id).length === 0 && !read.isReplacement(id))) return true;
  // A month, or a day without its year: some notice has to say what became of it.
  if (written.length === 0) return !own.some(saysWhen);
  return !days.every((day) => give(own, day) || give(around, day));
}

const saysWhen = ({ shutdown_date, shutdown_text, deprecation_date }: Notice): boolean =>
  `${shutdown_date}${shutdown_text}${deprecation_date}` !== "";

/** Whether a sentence names an id only as what replaces others: "will be redirected to `new-1`". */
function isTarget(id: string, words: string, read: ReadModels): boolean {
  if (!read.isReplacement(id)) return false;
  const before = words.slice(0, words.indexOf(id)).slice(-30);
  return /\b(?:to|with|by|use|using|try)\s(?:the\s)?[`"“(]{0,2}$/i.test(before);
}
