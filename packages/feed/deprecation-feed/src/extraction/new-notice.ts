import type { Notice } from "../notice/notice.ts";
import type { Section } from "./page.ts";
import { onOneLine } from "./words.ts";

type Facts = Partial<Omit<Notice, "anchor" | "source_text" | "aliases">>;

export const unknownFacts: Omit<Notice, "model_id" | "aliases" | "anchor" | "source_text"> = {
  announcement_date: "",
  deprecation_date: "",
  shutdown_date: "",
  earliest_shutdown_date: "",
  state: "",
  shutdown_text: "",
  replacement_models: [],
  regions: [],
};

/**
 * One notice per id of a row, so that each can be looked up; the others are its aliases.
 * @param words of the row itself; the headings are prepended
 */
export function noticesFor(
  ids: readonly string[],
  facts: Facts,
  section: Section,
  words: string,
): readonly Notice[] {
  const { headings } = section;
  return ids.map((model_id) => ({
    ...unknownFacts,
    ...facts,
    model_id,
    aliases: ids.filter((id) => id !== model_id),
    anchor: headings.at(-1)?.anchor ?? "",
    // The last line is the row or the sentence, however the page breaks it.
    source_text: [...headings.map(({ text }) => text), onOneLine(words)].join("\n"),
  }));
}
