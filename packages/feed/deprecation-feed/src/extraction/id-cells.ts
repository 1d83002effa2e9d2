import { isModelId, isTellingId, looksLikeModelId, tidyId } from "./model-ids.ts";
import type { Words } from "./words.ts";

const separator = /[,;|\n&]|\s(?:\/|or|and|aka)\s/i;
/** Words beside an id that say nothing about it. */
const connector =
  /^(?:or|and|the|also|an?|as|aka|alias(?:es)?|including|models?|snapshots?|all|its|their|every|other|dated|versions?|variants?|→|[.:/-])$/i;
/** A badge or a button beside an id. */
const badge =
  /^(?:new|deprecated|legacy|retired|retiring|recommended|updated|sunset|eol|end[\s-]of[\s-]life|shut ?down|active|copy|copied|[^\p{L}\p{N}]+)$/iu;
/** Badges that can also be the end of a name: `o1 preview` is not `o1`. */
const stage = /^(?:preview|beta|alpha|ga|stable|latest|default|experimental)$/i;
const description = /^[-–—:]\s/;
/** Parts and uses of a model, which end without it. */
const partOfModel = /\b(?:fine-?tun\w*|training|batch|playgrounds?|free tiers?|endpoints?)\b/i;
const otherSystem = /^[\p{L}\s-]{1,60} (?:API|endpoint)s?$/iu;
const aliasWords = /\b(?:alias|includ|also|aka|formerly|previously|known)/i;

/**
 * The ids in a cell or list item that names a model; the first is the row's own. Beside them it may have the model's
 * name, a badge or a description. Empty if it says anything else, such as what a model is used for. Code is in
 * backticks.
 */
export function readModelIds(text: string): readonly string[] {
  const { outside, inside } = splitParentheses(text);
  const all = splitParts(outside);
  const models = all.filter((part) => !otherSystem.test(part));
  // An API listed next to models ends with them; on its own it is the subject of the row.
  const parts = models.length > 0 ? models : all;
  const isAlone = parts.filter((part) => !badge.test(part) && !stage.test(part)).length === 1;
  const ids = parts.flatMap((part) => idsOf(part, isAlone));
  const others = parts.filter((part) => idsOf(part, isAlone).length === 0);
  const aliases = parts.length === 0 ? [] : inside.flatMap((words) => aliasesIn(words, ids));
  const found = distinct([...ids, ...aliases]);
  const isClear = others.every(
    (part) =>
      badge.test(part) || stage.test(part) || description.test(part) || isNameOf(part, found),
  );
  return isClear && ![...others, ...inside].some((words) => partOfModel.test(words)) ? found : [];
}

/** Whether words are the name of a model with one of these ids: `Nova 9 Pro` is that of `nova-9-pro`. */
function isNameOf(words: string, ids: readonly string[]): boolean {
  if (!looksLikeModelId(tidyId(words))) return false;
  const tokens = words.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  return ids.some((id) => tokens.some((token) => id.toLowerCase().includes(token)));
}

/**
 * How many cells are missing at the start of a row that is too short, as when a row span ends too early: the number that
 * puts an id into the column of ids.
 */
export function leadingGap(row: readonly Words[], idColumn: number, width: number): number {
  for (let gap = 0; gap <= width - row.length; gap++) {
    if (readModelIds(row[idColumn - gap]?.text ?? "").length > 0) return gap;
  }
  return 0;
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

/** The ids anywhere in a text: as code, or as words that cannot be anything else. */
export function idsWritten(text: string): readonly string[] {
  const codes = codeSpans(text).map(tidyId).filter(isTellingId);
  const words = text.replace(/`[^`]*`/g, " ").split(/[\s,;()"“”|]+/);
  return distinct([...codes, ...words.map(tidyId).filter(isWrittenId)]);
}

/** Whether the words are about the training of a model or a parameter of it, which can end without it. */
export const isAboutPart = (text: string): boolean =>
  /\b(?:fine-?tun\w*|training|parameters?)\b/i.test(text);

/** Whether a cell names an interface or a path, and no model. */
export const isOtherSystem = (text: string): boolean =>
  splitParts(text).every(
    (part) => otherSystem.test(part) || /^`?\/|[=:]v?\d|^`?v\d/.test(part) || part.includes("/v1"),
  );

const isWrittenId = (word: string): boolean =>
  cannotBeWord(word) &&
  /^\p{L}[\p{L}\d]+[-.:@/].*[\p{L}\d]$/u.test(word) &&
  !/:\/\/|^(?:q[1-4]|mid|early|late|utc|gmt|v\d|h[12])\b/i.test(word);

/** Whether a cell has a model's name, such as `Jamba Instruct` or `Mistral 7B`. */
export const isTellingName = (text: string): boolean =>
  nameOf(text).length > 0 &&
  /[\d ]/.test(text) &&
  text.split(" ").every((word) => /^\P{Ll}/u.test(word));

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

/** An id with a badge or a description behind it: the id alone. */
function withoutRemark(part: string): string {
  const space = part.indexOf(" ");
  const [first, rest] = [part.slice(0, space), part.slice(space + 1).trim()];
  if (space === -1) return part;
  const isRemark = badge.test(rest) || (description.test(rest) && !partOfModel.test(rest));
  const isId = isTellingId(tidyId(first)) || /^\p{Ll}+$/u.test(first);
  return isId && isRemark ? first : part;
}

/** Empty if a part is not an id. Several words count as ids only if none of them can be an ordinary word. */
function idsOf(part: string, isAlone: boolean): readonly string[] {
  const ids = withoutRemark(part)
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

/** Other ids of the same model: in parentheses that contain only ids, or that say so; the only one behind a name. */
function aliasesIn(parentheses: string, ids: readonly string[]): readonly string[] {
  if (ids.length === 0 && cannotBeWord(tidyId(parentheses))) return [tidyId(parentheses)];
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
