import { firstDay } from "../extraction/dates.ts";
import { codeSpans, idsWritten } from "../extraction/id-cells.ts";
import { noticesFor } from "../extraction/new-notice.ts";
import { type Page, readPage, type Section, sentencesIn, sentencesOf } from "../extraction/page.ts";
import { noticesFromSentences } from "../extraction/sentence-notices.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Notice, Provider } from "../notice/notice.ts";

/** "As of August 1, 2025, R1-1776 will be removed from the available models." */
const removed =
  /\bas of\b(.*\b20\d\d), (?:the )?(\S+)(?: model)? (?:will be|has been|is) (?:removed|retired)\b/i;
const following = /\bfollowing model names? will no longer be (?:available|accessible)\b/i;
const unavailable = /\bwill no longer be (?:available|accessible)\b/i;

/** A change log: sentences about single models, and lists of names that leave the API on one day. */
export const perplexity: Provider = {
  label: "Perplexity",
  slug: "perplexity",
  page_url: "https://docs.perplexity.ai/docs/resources/changelog",
  source_url: "https://docs.perplexity.ai/docs/resources/changelog.md",
  allowed_hosts: [],
  extract(text) {
    const page = readPage(text);
    return [...noticesFromTables(page), ...noticesFromSentences(page), ...noticesFromEntries(page)];
  },
};

const noticesFromEntries = ({ sections }: Page): readonly Notice[] =>
  sections.flatMap((section) => [...removedIn(section), ...listedIn(section)]);

function removedIn(section: Section): readonly Notice[] {
  return sentencesOf(section.blocks).flatMap((sentence) => {
    const [, when = "", model = ""] = removed.exec(sentence.replaceAll("`", "")) ?? [];
    const shutdown_date = firstDay(when, section.dateOrder);
    return shutdown_date === ""
      ? []
      : noticesFor(idsWritten(`\`${model}\``), { shutdown_date }, section, sentence);
  });
}

/** The names behind "The following model names will no longer be available", up to the next sentence. */
function listedIn(section: Section): readonly Notice[] {
  const texts = section.blocks.flatMap((block) =>
    block.kind === "paragraph" ? sentencesIn(block.words.text) : [],
  );
  const start = texts.findIndex((text) => following.test(text));
  if (start === -1) return [];
  const said = texts.find((text) => unavailable.test(text)) ?? "";
  const names = [
    ...codeSpans(texts[start] ?? ""),
    ...texts.slice(start + 1, endOfList(texts, start + 1)).flatMap(codeSpans),
  ];
  const shutdown_date = firstDay(said, section.dateOrder);
  const words = `${said} ${names.join(", ")}`;
  return names.flatMap((id) =>
    noticesFor([id], { shutdown_date, state: "deprecated" }, section, words.replaceAll("`", "")),
  );
}

function endOfList(texts: readonly string[], start: number): number {
  const end = texts.findIndex((text, index) => index >= start && !/^(?:`[^`]+`\s*)+$/.test(text));
  return end === -1 ? texts.length : end;
}
