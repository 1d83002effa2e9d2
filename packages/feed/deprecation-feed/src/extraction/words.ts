import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { attribute, isElement, isText } from "./elements.ts";
import { unstruck, withoutStruck } from "./struck-text.ts";

/** The text of a part of a page. */
export interface Words {
  /** Code is in backticks, line breaks as displayed; struck-out text is removed. */
  readonly text: string;
  /** URLs of its links. */
  readonly links: readonly string[];
  /** Whether all of the text is struck out. */
  readonly isStruck?: boolean;
}

/** Inline elements; all others start a new line. */
const inlineTags = new Set(
  "a abbr b bdi cite code data del em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr br".split(
    " ",
  ),
);
const silentTags = new Set(["script", "style", "template", "noscript", "svg", "head"]);
const codeTags = new Set(["code", "kbd", "samp", "tt"]);

export const isSilent = (node: Tree.Element): boolean => silentTags.has(node.tagName);
export const isInline = (node: Tree.Node): boolean =>
  isText(node) || (isElement(node) && inlineTags.has(node.tagName));

/** The words of nodes as one text; `skip` leaves elements out. */
export function wordsOf(
  nodes: readonly Tree.ChildNode[],
  skip: (element: Tree.Element) => boolean = () => false,
): Words {
  const links: string[] = [];
  const written = nodes.map((node) => textOf(node, { links, skip })).join("");
  const text = tidy(withoutStruck(written));
  if (text.replaceAll("`", "") !== "" || written.trim() === "") return { text, links };
  return { text: tidy(unstruck(written)), links, isStruck: true };
}

/** Without the line breaks that a page displays. */
export const onOneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");

/** The text without the backticks of code. */
export const plainText = ({ text }: Words): string => text.replaceAll("`", "");

interface Reading {
  readonly links: string[];
  readonly skip: (element: Tree.Element) => boolean;
}

function textOf(node: Tree.ChildNode, reading: Reading): string {
  if (isText(node)) return node.value.replace(/[ \t\r\n\f]+/g, " ");
  if (!isElement(node) || isSilent(node) || reading.skip(node)) return "";
  if (node.tagName === "br") return "\n";
  if (isInline(node) && isHidden(node)) return "";
  const text = node.childNodes.map((child) => textOf(child, reading)).join("");
  if (codeTags.has(node.tagName)) return text.includes("`") ? text : `\`${text.trim()}\``;
  if (node.tagName === "sup") return superscript(text.trim());
  if (node.tagName === "time") return timeText(node, text);
  if (node.tagName === "a") reading.links.push(attribute(node, "href"));
  return isInline(node) ? text : `\n${text}\n`;
}

/** The ending of a number, or the mark of a footnote. */
function superscript(text: string): string {
  if (/^(?:st|nd|rd|th)$/i.test(text)) return text;
  return /^\[?\w{1,3}\]?$/.test(text) ? `[${text.replace(/[[\]]/g, "")}]` : text;
}

/** Whether a reader does not see an element. */
const isHidden = (element: Tree.Element): boolean =>
  element.attrs.some(({ name }) => name === "hidden") ||
  /\bdisplay\s*:\s*none\b|\bvisibility\s*:\s*hidden\b/i.test(attribute(element, "style"));

/** `<time datetime>` has the day that a reader sees as "in three months" or "5/6". */
function timeText(element: Tree.Element, text: string): string {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(attribute(element, "datetime").trim()) ?? [];
  if (day === undefined || text !== unstruck(text)) return text;
  return /\p{L}{3}/u.test(text) && /\d{4}/.test(text) ? text : day;
}

/** Removes invisible characters, narrows wide digits, and collapses spaces of every kind. */
function tidy(text: string): string {
  return text
    .replace(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, "")
    .replace(/[\uFF10-\uFF19]/g, (digit) => String(digit.charCodeAt(0) - 0xff10))
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();
}
