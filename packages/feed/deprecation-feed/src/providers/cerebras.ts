import { announcementInHeadings } from "../extraction/announcements.ts";
import { idsWritten } from "../extraction/id-cells.ts";
import { endInSentence } from "../extraction/lifecycle-words.ts";
import { noticesFor } from "../extraction/new-notice.ts";
import { type Page, readPage, type Section, sentencesOf } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Notice, Provider } from "../notice/notice.ts";

/** "Deprecating `a-1` and `b-1`", but not "Deprecating the parameter of `a-1`". */
const ended = /^(?:deprecat(?:ed|ing)|retir(?:ed|ing))\s+((?:`[^`]+`(?:,? and |, )?)+)$/i;
const isEnded = /^the (`[^`]+`) models? (?:has|have) been (?:deprecated|retired)\b/i;
const announces = /^(?:deprecating|retiring)\b/i;
const recommends = /\b(?:migrat|transition|recommend|replac)/i;

/** One entry per day: what was deprecated on it, or what will be on a day that a sentence gives. */
export const cerebras: Provider = {
  label: "Cerebras",
  slug: "cerebras",
  page_url: "https://inference-docs.cerebras.ai/support/deprecation",
  source_url: "https://inference-docs.cerebras.ai/support/deprecation.md",
  allowed_hosts: [],
  extract(text) {
    const page = readPage(text);
    return [...noticesFromTables(page), ...noticesFromEntries(page)];
  },
};

const noticesFromEntries = ({ sections }: Page): readonly Notice[] => sections.flatMap(noticesOf);

function noticesOf(section: Section): readonly Notice[] {
  const day = announcementInHeadings(section);
  const sentences = sentencesOf(section.blocks);
  const title = sentences.find((sentence) => ended.test(sentence) || isEnded.test(sentence)) ?? "";
  const [, models = ""] = ended.exec(title) ?? isEnded.exec(title) ?? [];
  const advice = sentences.filter((sentence) => recommends.test(sentence)).join(" ");
  const ends = sentences.map((sentence) => endInSentence(sentence, section.dateOrder));
  const end = ends.find((found) => found !== undefined);
  const dates = announces.test(title)
    ? { announcement_date: day, shutdown_date: end?.shutdown_date || end?.deprecation_date || "" }
    : { deprecation_date: day, shutdown_date: day };
  const facts = {
    ...dates,
    replacement_models: idsWritten(advice).filter((id) => !models.includes(id)),
  };
  const words = sentences
    .filter((sentence) => sentence === title || endInSentence(sentence, section.dateOrder))
    .join(" ");
  return idsWritten(models).flatMap((id) =>
    noticesFor([id], facts, section, words.replaceAll("`", "")),
  );
}
