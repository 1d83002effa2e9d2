import { plainDashes } from "./dates.ts";

const idShape = /^[\p{L}\p{N}][\p{L}\p{N}._:@/+-]{0,119}(?<![:/])$/u;
/** A region of AWS, from which a region's row may be told from a model's. */
const region = /^[a-z]{2}(?:-gov)?-(?:north|south|east|west|central)[a-z]*-\d$/;
const regionWithin = /\b[a-z]{2}(?:-gov)?-(?:north|south|east|west|central)[a-z]{0,7}-\d\b/g;

/** Regions of AWS that a text names: "December 1, 2025 (only in us-west-2)". */
export const regionsNamed = (text: string): readonly string[] => text.match(regionWithin) ?? [];
/** A path of an API, a number, a use of models, or what a cell says where there is no model. */
const otherShape =
  /:\/\/|^v\d\w*\/|^\d{4}-\d{2}-\d{2}(?:-\w+)?$|^[^\p{L}]*$|^fine-?tun|^(?:n\/a|none|no|yes|all|tb[acd]|new|various|same)$/iu;
const footnoteMarks = /(?:[*†‡§¶¹²³⁰-⁹]|\[\w{1,2}\]){1,4}$/u;
/** Words of sentences, and things that have a lifecycle but are not models. */
const proseWord =
  /^(?:an?|the|of|on|in|for|to|and|or|no|not|none|with|without|from|via|is|are|was|were|be|been|will|can|has|have|that|this|these|which|its?|your|our|we|you|all|any|other|see|use|contact|available|applicable|soon|models|apis?|endpoints?|features?|parameters?|fine-?tun\w*|training|beta|platform|dashboard|guide|apps?|integrations?|tools?|support|access|requests?|dates?|deprecated|retired|announced)$/i;

/** One id as a call of an API names it: no spaces, no path of an endpoint, at least one letter. */
export function isModelId(text: string): boolean {
  return idShape.test(text) && !otherShape.test(text) && !region.test(text);
}

/**
 * Whether a text can be what a page calls a model: an id, or a short name such as `Jamba Instruct`.
 * Sentences and the names of endpoints are not.
 */
export function looksLikeModelId(text: string): boolean {
  const words = text.split(" ");
  if (words.length === 1) return isModelId(text);
  if (words.length > 7 || !/^[\p{Lu}\p{N}]/u.test(text)) return false;
  return words.every(
    (word) =>
      // "Titan Text G1 - Express"
      word === "-" || (/^[\p{L}\p{N}(][\p{L}\p{N}._@/()+-]*$/u.test(word) && !proseWord.test(word)),
  );
}

/** Whether an id shows itself among words: `o3` and `omni-moderation` do, `ada` does not. */
export const isTellingId = (text: string): boolean => isModelId(text) && /[\p{N}-]/u.test(text);

/** Without footnote marks and the sentence's punctuation, and with plain hyphens. */
export function tidyId(text: string): string {
  return plainDashes(text)
    .trim()
    .replace(footnoteMarks, "")
    .replace(/(?<![.,;:])[.,;:]+$/, "")
    .trim();
}
