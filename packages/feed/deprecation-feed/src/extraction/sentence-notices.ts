import type { CalendarDay, Notice } from "../notice/notice.ts";
import { codeSpans } from "./id-cells.ts";
import { endInSentence, noEnd } from "./lifecycle-words.ts";
import { isTellingId, tidyId } from "./model-ids.ts";
import { noticesFor } from "./new-notice.ts";
import { type Page, type Section, sentencesOf } from "./page.ts";

/** The verb after the models of a sentence: "Old One (`old-1`) and Old Two (`old-2`) are now deprecated". */
const saysEnd =
  /\s(?:is|are|was|were|ha(?:s|ve) been|will be) (?:now |officially )?(?:deprecated|retired|discontinued)\b/gi;
/** What may separate two models of an enumeration, including names. */
const betweenModels = /^\)?(?:,| and| or)[^`]{0,50}$/i;
/** Words of a sentence about something other than a model, or about a condition. */
const otherSubject = /\b(?:if|when|once|unless|requests?|parameters?|features?|fine-?tun\w*)\b/i;
const recommends = /\b(?:migrat|replace|recommend|instead)/i;

export interface SentenceRules {
  /** When the end of a section's models was announced. @default unknown */
  readonly announcement?: (section: Section) => CalendarDay;
}

/** A notice for every model in a sentence such as "Old One (`old-1`) is deprecated." */
export function noticesFromSentences(
  { sections }: Page,
  rules: SentenceRules = {},
): readonly Notice[] {
  return sections.flatMap((section) => {
    const announcement_date = rules.announcement?.(section) ?? "";
    return section.blocks.flatMap((block) => {
      const sentences = sentencesOf([block]);
      return sentences.flatMap((sentence, index) => {
        const { models, before } = modelsThatEnd(sentence);
        if (models.length === 0 || otherSubject.test(before)) return [];
        const advice = sentences.slice(index + 1).find((next) => recommends.test(next)) ?? "";
        const facts = {
          announcement_date,
          ...(endInSentence(sentence, section.dateOrder) ?? noEnd),
          replacement_models: idsIn(advice),
        };
        const words = `${sentence} ${advice}`.trim().replaceAll("`", "");
        return models.flatMap((id) => noticesFor([id], facts, section, words));
      });
    });
  });
}

interface EndingModels {
  readonly models: readonly string[];
  /** The part of the sentence before the first of them. */
  readonly before: string;
}

/** Reads backwards from the verb, span by span: in linear time for any page. */
function modelsThatEnd(sentence: string): EndingModels {
  for (const { index } of sentence.matchAll(saysEnd)) {
    const parts = sentence.slice(0, index).split("`");
    const last = parts.length - 1;
    // Text and code alternate: code has odd indices.
    if (last % 2 === 1 || !/^\)?,?(?: models?)?$/.test(parts[last] ?? "")) continue;
    let first = last - 1;
    while (first > 2 && betweenModels.test(parts[first - 1] ?? "")) first -= 2;
    const codes = parts.slice(Math.max(first, 0), last).filter((_, place) => place % 2 === 0);
    const models = idsIn(codes.map((code) => `\`${code}\``).join(" "));
    if (models.length > 0) return { models, before: parts.slice(0, first).join("`") };
  }
  return { models: [], before: "" };
}

const idsIn = (text: string): readonly string[] => codeSpans(text).map(tidyId).filter(isTellingId);
