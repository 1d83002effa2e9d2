import type { Notice } from "../notice.ts";
import { codeSpans } from "./id-cells.ts";
import { endInSentence, noEnd } from "./lifecycle-words.ts";
import { isTellingId, tidyId } from "./model-ids.ts";
import { noticesFor } from "./new-notice.ts";
import { type Page, sentencesOf } from "./page.ts";

/** "Old One (`old-1`) and Old Two (`old-2`) are now deprecated"; its first group has the ids. */
const endOfModels =
  /((?:`[^`]+`\)?(?:(?:,|\s+and|\s+or)+\s+[^`]{0,40})?)+)\s+(?:is|are|was|were|ha(?:s|ve) been|will be)\s+(?:now\s+)?(?:deprecated|retired)\b/i;
/** What ends here is not the model, or only perhaps. */
const otherSubject = /\b(?:if|when|once|unless|requests?|parameters?|features?|fine-?tun\w*)\b/i;
const recommends = /\b(?:migrat|replace|recommend|instead)/i;

/** A notice for every model of a sentence such as "Old One (`old-1`) is deprecated." */
export function noticesFromSentences({ sections }: Page): readonly Notice[] {
  return sections.flatMap((section) =>
    section.blocks.flatMap((block) => {
      const sentences = sentencesOf([block]);
      return sentences.flatMap((sentence, index) => {
        const [whole = "", models = ""] = endOfModels.exec(sentence) ?? [];
        if (otherSubject.test(sentence.slice(0, sentence.indexOf(whole)))) return [];
        const advice = sentences.slice(index + 1).find((next) => recommends.test(next)) ?? "";
        const facts = {
          ...(endInSentence(sentence) ?? noEnd),
          replacement_models: idsIn(advice),
        };
        const words = `${sentence} ${advice}`.trim().replaceAll("`", "");
        return idsIn(models).flatMap((id) => noticesFor([id], facts, section, words));
      });
    }),
  );
}

const idsIn = (text: string): readonly string[] => codeSpans(text).map(tidyId).filter(isTellingId);
