import type { DefaultTreeAdapterTypes as Tree } from "parse5";

/** The text of a part of a page. */
export interface Words {
  /** Code is in backticks, line breaks as displayed; struck-out text and footnote marks are removed. */
  readonly text: string;
  /** URLs of its links. */
  readonly links: readonly string[];
}

/** Inline elements; all others start a new line. */
const inlineTags = new Set(
  "a abbr b bdi cite code data del em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr br".split(
    " ",
  ),
);
const silentTags = new Set(["script", "style", "template", "noscript", "svg", "head"]);
const struckTags = new Set(["del", "s", "strike"]);
const codeTags = new Set(["code", "kbd", "samp", "tt"]);

export const isElement = (node: Tree.Node): node is Tree.Element => "tagName" in node;
export const isText = (node: Tree.Node): node is Tree.TextNode => node.nodeName === "#text";
export const isSilent = (node: Tree.Element): boolean => silentTags.has(node.tagName);
export const isInline = (node: Tree.Node): boolean =>
  isText(node) || (isElement(node) && inlineTags.has(node.tagName));

export function attribute(element: Tree.Element, name: string): string {
  return element.attrs.find((attr) => attr.name === name)?.value ?? "";
}

/** The words of nodes as one text; `skip` leaves elements out. */
export function wordsOf(
  nodes: readonly Tree.ChildNode[],
  skip: (element: Tree.Element) => boolean = () => false,
): Words {
  const read = (keepsStruck: boolean): Words => {
    const links: string[] = [];
    const text = nodes.map((node) => textOf(node, { links, keepsStruck, skip })).join("");
    return { text: tidy(text), links };
  };
  const words = read(false);
  return words.text === "" ? read(true) : words;
}

/** The text without the backticks of code. */
export const plainText = ({ text }: Words): string => text.replaceAll("`", "");

interface Reading {
  readonly links: string[];
  readonly keepsStruck: boolean;
  readonly skip: (element: Tree.Element) => boolean;
}

function textOf(node: Tree.ChildNode, reading: Reading): string {
  if (isText(node)) return node.value.replace(/[ \t\r\n\f]+/g, " ");
  if (!isElement(node) || isSilent(node) || reading.skip(node)) return "";
  if (node.tagName === "br") return "\n";
  if (struckTags.has(node.tagName) && !reading.keepsStruck) return "";
  const text = node.childNodes.map((child) => textOf(child, reading)).join("");
  if (codeTags.has(node.tagName)) return text.includes("`") ? text : `\`${text.trim()}\``;
  if (node.tagName === "sup") return /^\s*(?:st|nd|rd|th)\s*$/i.test(text) ? text.trim() : "";
  if (node.tagName === "time") return timeText(node, text);
  if (node.tagName === "a") reading.links.push(attribute(node, "href"));
  return isInline(node) ? text : `\n${text}\n`;
}

/** `<time datetime>` has the day that a reader sees as "in three months" or "5/6". */
function timeText(element: Tree.Element, text: string): string {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(attribute(element, "datetime").trim()) ?? [];
  return day === undefined || (/\p{L}{3}/u.test(text) && /\d{4}/.test(text)) ? text : day;
}

/** Removes invisible characters, and collapses spaces of every kind. */
function tidy(text: string): string {
  return text
    .replace(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();
}
