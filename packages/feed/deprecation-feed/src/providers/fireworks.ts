import { announcementInHeadings } from "../extraction/announcements.ts";
import { nameOf } from "../extraction/id-cells.ts";
import { shutdownInHeadings } from "../extraction/lifecycle-words.ts";
import { noticesFor } from "../extraction/new-notice.ts";
import { type Page, readPage, type Section, sentencesOf } from "../extraction/page.ts";
import { noticesFromTables } from "../extraction/table-notices.ts";
import type { Notice, Provider } from "../notice/notice.ts";

const serverless = /\bserverless deprecation\b/i;
const ended = /^(.+) (?:is|are) deprecated from serverless\b/i;
const advised = /\s[-–—]\smigrate to\s/i;

/**
 * A change log, in which models leave the serverless platform. It calls them by their names: their ids are only in
 * links.
 */
export const fireworks: Provider = {
  label: "Fireworks",
  slug: "fireworks",
  page_url: "https://docs.fireworks.ai/updates/changelog",
  source_url: "https://docs.fireworks.ai/updates/changelog.md",
  allowed_hosts: [],
  extract(text) {
    const page = readPage(text);
    return [...noticesFromTables(page), ...noticesFromEntries(page)];
  },
};

const noticesFromEntries = ({ sections }: Page): readonly Notice[] =>
  sections
    .filter(({ headings }) => headings.some(({ text }) => serverless.test(text)))
    .flatMap((section) => [...endedIn(section), ...listedIn(section)]);

/** "Kimi K2.5 and Qwen 3.6 Plus are deprecated from serverless", on the day of the entry. */
function endedIn(section: Section): readonly Notice[] {
  const day = announcementInHeadings(section);
  const sentences = sentencesOf(section.blocks);
  return sentences.flatMap((sentence, index) => {
    const [, models = ""] = ended.exec(sentence) ?? [];
    const [, advice = ""] = /^Migrate to (.+?)\.?$/i.exec(sentences[index + 1] ?? "") ?? [];
    const facts = {
      deprecation_date: day,
      shutdown_date: day,
      replacement_models: namesIn(advice),
    };
    return namesIn(models).flatMap((name) => noticesFor([name], facts, section, sentence));
  });
}

/** "GLM 5 – migrate to GLM 5.1", in a list; the entry's title has the day. */
function listedIn(section: Section): readonly Notice[] {
  const shutdown_date = shutdownInHeadings(section);
  const items = section.blocks.flatMap((block) => (block.kind === "list" ? block.items : []));
  return items.flatMap(({ words: { text } }) => {
    const [model = "", advice] = text.split(advised);
    if (advice === undefined) return [];
    const end = shutdown_date === "" ? {} : { shutdown_date };
    const facts = { ...end, replacement_models: namesIn(advice), state: "deprecated" } as const;
    return nameOf(model).flatMap((name) => noticesFor([name], facts, section, text));
  });
}

const namesIn = (text: string): readonly string[] =>
  text.split(/,\s|\s(?:and|or)\s/).flatMap((name) => nameOf(name.trim()));
