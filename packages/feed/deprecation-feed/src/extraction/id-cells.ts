import { isModelId, isTellingId, looksLikeModelId, tidyId } from "./model-ids.ts";

const separator = /[,;|\n&]|\s(?:\/|or|and|aka)\s/i;
/** Text after an id that says nothing about it. */
const connector =
  /^(?:or|and|the|also|an?|as|aka|alias(?:es)?|including|models?|snapshots?|→|[.:/-])$/i;
const otherSystem = /^[\p{L}\s-]{1,60} (?:API|endpoint)s?$/iu;
const aliasWords = /\b(?:alias|includ|also|aka|formerly|previously|known)/i;

/**
 * The ids in a cell or list item that names a model; the first is the row's own. Empty if it says something else, such
 * as what a model is used for. Code is in backticks.
 */
export function readModelIds(text: string): readonly string[] {
  const { outside, inside } = splitParentheses(text);
  const all = splitParts(outside);
  const models = all.filter((part) => !otherSystem.test(part));
  // An API listed next to models ends with them; on its own it is the subject of the row.
  const parts = models.length > 0 ? models : all;
  const ids = parts.map((part) => idsOf(part, parts.length === 1));
  if (ids.some((found) => found.length === 0)) return [];
  return distinct([...ids.flat(), ...(ids.length === 0 ? [] : inside.flatMap(aliasesIn))]);
}

/** What a cell recommends: ids, or names if it has no ids. */
export function readReplacements(text: string): readonly string[] {
  const codes = codeSpans(text).map(tidyId).filter(isTellingId);
  if (codes.length > 0) return distinct(codes);
  const parts = splitParts(splitParentheses(text).outside);
  return distinct(
    parts.flatMap((part) => {
      const ids = idsOf(part, parts.length === 1);
      return ids.length > 0 ? ids : nameOf(part);
    }),
  );
}

/** The model's name in a cell, if it can be one: none or one. */
export function nameOf(text: string): readonly string[] {
  const name = tidyId(text.replace(/[`↗⧉]/gu, "").replace(/^(?:or|and|use)\s+/i, ""));
  return looksLikeModelId(name) ? [name] : [];
}

export function codeSpans(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = ""]) => code.split(separator));
}

const distinct = (ids: readonly string[]): readonly string[] => [...new Set(ids)];

function splitParentheses(text: string): { outside: string; inside: readonly string[] } {
  const inside = [...text.matchAll(/\(([^()]*)\)/g)].map(([, words = ""]) => words);
  return { outside: text.replace(/\([^()]*\)/g, " "), inside };
}

/** Code spans with their backticks, and the text between separators. */
function splitParts(text: string): readonly string[] {
  return [...text.matchAll(/`[^`]+`|[^`]+/g)]
    .flatMap(([part]) =>
      part.startsWith("`") ? codeSpans(part).map((code) => `\`${code}\``) : part.split(separator),
    )
    .map((part) => part.trim())
    .filter((part) => part.split(" ").some((word) => tidyId(word) !== "" && !connector.test(word)));
}

/** Empty if a part is not an id. Several words count as ids only if none of them can be an ordinary word. */
function idsOf(part: string, isAlone: boolean): readonly string[] {
  const ids = part
    .replaceAll("`", "")
    .split(" ")
    .map(tidyId)
    .filter((id) => id !== "");
  const [first = ""] = ids;
  if (ids.length > 1) return !part.startsWith("`") && ids.every(cannotBeWord) ? ids : [];
  if (part.startsWith("`")) return isModelId(first) ? ids : [];
  return isTellingId(first) || (isAlone && isModelId(first) && /^\p{Ll}/u.test(first)) ? ids : [];
}

const cannotBeWord = (id: string): boolean => isModelId(id) && /\d/.test(id) && /[-/:@]/.test(id);

/** Other ids of the same model: in parentheses that contain only ids, or that say so. */
function aliasesIn(parentheses: string): readonly string[] {
  const codes = codeSpans(parentheses).map(tidyId).filter(isModelId);
  if (splitParts(parentheses).every((part) => part.startsWith("`"))) return codes;
  if (!aliasWords.test(parentheses)) return [];
  return [
    ...codes,
    ...parentheses
      .split(/[\s,]+/)
      .map(tidyId)
      .filter(cannotBeWord),
  ];
}
