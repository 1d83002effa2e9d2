import { announcementInHeadings } from "../extraction/announcements.ts";
import { firstDay } from "../extraction/dates.ts";
import { readModelIds } from "../extraction/id-cells.ts";
import { endInSentence, speaksOfEnd } from "../extraction/lifecycle-words.ts";
import { noticesFor } from "../extraction/new-notice.ts";
import { type ListItem, type Page, readPage, type Section } from "../extraction/page.ts";
import { noticesFromSentences } from "../extraction/sentence-notices.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { CalendarDay, Notice, Provider } from "../notice/notice.ts";

/** The Gemini API's release notes, one entry per day. They mention previews that are in no table. */
export const googleChangelog: Provider = {
  label: "Google Gemini release notes",
  slug: "google-changelog",
  page_url: "https://ai.google.dev/gemini-api/docs/changelog",
  source_url: "https://ai.google.dev/gemini-api/docs/changelog",
  allowed_hosts: [],
  extract(text) {
    const page = readPage(text);
    const announcement = announcementInHeadings;
    return [
      ...noticesFromTables(page, { announcement }),
      ...noticesFromSentences(itemsAsParagraphs(page), { announcement }),
      ...page.sections.flatMap(noticesFromEntry),
    ];
  },
};

/** In release notes, list items say what other pages say in paragraphs. */
const itemsAsParagraphs = ({ sections }: Page): Page => ({
  sections: sections.map((section) => ({
    ...section,
    blocks: section.blocks.flatMap((block) =>
      block.kind === "list"
        ? block.items.map(({ words }) => ({ kind: "paragraph" as const, words }))
        : [block],
    ),
  })),
});

/** "The following models will be deprecated:", with a list of models, or of days with models. */
function noticesFromEntry(section: Section): readonly Notice[] {
  return section.blocks.flatMap((block) => {
    if (block.kind !== "list") return [];
    return block.items.flatMap(({ words, lists }) => {
      const [leadIn = ""] = words.text.split(":", 1);
      if (!speaksOfEnd(leadIn) || !/\bmodels?\b/i.test(leadIn)) return [];
      const day = endInSentence(leadIn, section.dateOrder)?.deprecation_date ?? "";
      return lists.flat().flatMap((item) => noticesOf(item, leadIn, day, section));
    });
  });
}

function noticesOf(
  { words, lists }: ListItem,
  leadIn: string,
  deprecation_date: CalendarDay,
  section: Section,
): readonly Notice[] {
  const announcement_date = announcementInHeadings(section);
  const ids = readModelIds(words.text);
  const facts = { announcement_date, deprecation_date, state: "deprecated" as const };
  if (ids.length > 0)
    return noticesFor(ids, facts, section, `${leadIn}\n${words.text}`.replaceAll("`", ""));
  const day = dayAfter(words.text, announcement_date, section);
  return day === ""
    ? []
    : lists.flat().flatMap((item) => noticesOf(item, `${leadIn}\n${words.text}`, day, section));
}

/** "November 18th:" is the first such day on or after the entry's day. Empty if it does not give a day. */
function dayAfter(label: string, entry: CalendarDay, { dateOrder }: Section): CalendarDay {
  const [text = ""] = label.split(":", 1);
  const year = Number(entry.slice(0, 4));
  const days = [year, year + 1].map((candidate) => firstDay(`${text}, ${candidate}`, dateOrder));
  return days.find((day) => day !== "" && day >= entry) ?? "";
}
