import { saysEnded, speaksOfEnd } from "./lifecycle-words.ts";
import type { Section } from "./page.ts";

/** What a heading or a sentence is about, if not about models. */
const otherThings =
  /\b(?:free[\s-](?:tiers?|plans?|trials?|credits?|access)|discounts?|promotion\w*|(?:api|sdk) versions?|versions of (?:the|our) api|sdks?|rate limits?|quotas?|limits? (?:is|are|will)|temporary limits?|batch|playgrounds?|beta (?:programs?|labels?|access)|(?:preview|beta) labels?|certificates?|events?|conferences?|cookies?|logs?|log retention|webhooks?|api keys?|credentials?|domains?|offices?|releases? notes?)\b/i;
const models = /\b(?:models?|snapshots?)\b|`/i;
const dated = /^\W*(?:\d{4}|\p{Lu}\p{Ll}{2,8}\.? \d{1,2})/u;

export type Subject =
  /** Models that end, by the words above. */
  | "ending"
  /** Something else that ends, such as a free tier. */
  | "other"
  /** The words above do not say. */
  | "unknown";

/** What a table or a list is about, according to the paragraph before it and the headings above it. */
export function subjectAbove({ headings }: Section, leadIn: string): Subject {
  const own = headings.at(-1)?.text ?? "";
  if (otherThings.test(own) || otherThings.test(leadIn)) return "other";
  if (models.test(leadIn) && speaksOfEnd(leadIn)) return "ending";
  if (speaks(own)) return "ending";
  const isOpen = models.test(own) || dated.test(own) || headings.length < 2;
  return isOpen && headings.some(({ text }) => speaks(text)) ? "ending" : "unknown";
}

/** Such sections are about the end of training, unless an id is that of a fine-tuned model. */
export const isFineTuning = ({ headings }: Section): boolean =>
  /^(?:[\d-]+: )?fine-?tun/i.test(headings.at(-1)?.text ?? "");

const speaks = (text: string): boolean => speaksOfEnd(text) || saysEnded(text);
