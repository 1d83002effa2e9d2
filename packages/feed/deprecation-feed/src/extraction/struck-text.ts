import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { attribute, forEachBelow, isElement, isText } from "./elements.ts";

const struckTags = new Set(["del", "s", "strike"]);
const struckClass =
  /(?:^|[\s_:-])(?:line-?through|strike(?:d|out|-?through)?|struck(?:-?out)?|crossed(?:-?out)?|outdated|superseded)(?:$|[\s_-])/i;
const struckStyle = /\bline-through\b/i;
/** Unicode's own way to strike a character out: it follows the character. */
const strokes = /\u0335|\u0336/g;
const struckCharacters = /(?:(?!\u0335|\u0336).(?:\u0335|\u0336)\s*)+/gsu;

/** Strikes out, character by character, all text that HTML or CSS strikes out, so that only text is left to look at. */
export function strikeText(document: Tree.Document): void {
  const rules: Rule[] = [];
  forEachBelow(document, (node) => {
    if (isElement(node) && node.tagName === "style") rules.push(...struckRules(node));
  });
  forEachBelow(document, (node) => {
    if (!isElement(node) || !(isStruck(node) || rules.some((rule) => rule(node)))) return;
    forEachBelow(node, (inner) => {
      if (isText(inner)) inner.value = inner.value.replace(strokes, "").replace(/\S/g, "$&\u0336");
    });
  });
}

/** The text without what is struck out. */
export const withoutStruck = (text: string): string =>
  text.replace(struckCharacters, "").replaceAll("``", "");
/** The text as if nothing were struck out. */
export const unstruck = (text: string): string => text.replace(strokes, "");

const isStruck = (element: Tree.Element): boolean =>
  struckTags.has(element.tagName) ||
  struckStyle.test(attribute(element, "style")) ||
  struckClass.test(attribute(element, "class"));

type Rule = (element: Tree.Element) => boolean;

/** By the last part of each selector, such as `.old`, `td.old` or `del time`. */
function struckRules(style: Tree.Element): readonly Rule[] {
  const css = style.childNodes.map((node) => (isText(node) ? node.value : "")).join("");
  const selectors = css
    .split("}")
    .map((rule) => rule.split("{"))
    .filter((parts) => struckStyle.test(parts.at(-1) ?? ""))
    .flatMap((parts) => (parts.at(-2) ?? "").split(","));
  return selectors.flatMap((selector) => {
    const last =
      selector
        .trim()
        .split(/[\s>+~]+/)
        .at(-1) ?? "";
    const [, tag = "", sign = "", name = ""] = /^([a-z]*\d?)([.#]?)([\w-]*)/i.exec(last) ?? [];
    if (tag === "" && name === "") return [];
    return (element: Tree.Element) =>
      (tag === "" || element.tagName === tag.toLowerCase()) &&
      (name === "" ||
        attribute(element, sign === "#" ? "id" : "class")
          .split(/\s+/)
          .includes(name));
  });
}
