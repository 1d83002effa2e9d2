import { plainDashes } from "./dates.ts";

const idShape = /^[\p{L}\p{N}][\p{L}\p{N}._:@/+-]{0,119}(?<![:/])$/u;
/** An AWS region; used to distinguish a region's row from a model's. */
const region = /^[a-z]{2}(?:-gov)?-(?:north|south|east|west|central)[a-z]*-\d$/;
const regionWithin = /\b[a-z]{2}(?:-gov)?-(?:north|south|east|west|central)[a-z]{0,7}-\d\b/g;

/** The AWS regions in a text: "December 1, 2025 (only in us-west-2)". */
export const regionsNamed = (text: string): readonly string[] => text.match(regionWithin) ?? [];
/** An API path, a number, a use of models, or what a cell says if there is no model. */
const otherShape =
  /:\/\/|^v\d\w*\/|^\d{4}-\d{2}-\d{2}(?:-\w+)?$|^[^\p{L}]*$|^fine-?tun|^(?:n\/a|none|no|yes|all|tb[acd]|new|various|same)$/iu;
/** A star after a hyphen stands for any model of a family. */
const footnoteMarks = /(?<![-._:@/])(?:[*†‡§¶¹²³⁰-⁹]|\[\w{1,2}\]){1,4}$/u;
/** Words of sentences, and names of things that have a lifecycle but are not models. */
const proseWord =
  /^(?:an?|the|of|on|in|for|to|and|or|no|not|none|with|without|from|via|is|are|was|were|be|been|will|can|has|have|that|this|these|which|its?|your|our|we|you|all|any|other|see|use|contact|available|applicable|soon|models|apis?|endpoints?|features?|parameters?|fine-?tun\w*|training|beta|platform|dashboard|guide|apps?|integrations?|tools?|support|access|requests?|dates?|deprecated|retired|announced)$/i;

/** Whether a text is one id as in an API call: no spaces, not an endpoint's path, at least one letter. */
export function isModelId(text: string): boolean {
  return idShape.test(text) && !otherShape.test(text) && !region.test(text);
}

/**
 * Whether a text can be a page's name for a model: an id, or a short name such as `Jamba Instruct`. Sentences and names
 * of endpoints cannot.
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

/** Whether an id is recognisable among words: `o3` and `omni-moderation` are, `ada` is not. */
export const isTellingId = (text: string): boolean => isModelId(text) && /[\p{N}-]/u.test(text);

/** Removes footnote marks and trailing punctuation, and normalises hyphens. */
export function tidyId(text: string): string {
  return plainDashes(text)
    .trim()
    .replace(footnoteMarks, "")
    .replace(/(?<![.,;:])[.,;:]+$/, "")
    .trim();
}
