import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { anchorOf, ownAnchor, slug } from "./anchors.ts";
import { type DateOrder, dateOrderOf } from "./date-order.ts";
import { dayAtStart } from "./dates.ts";
import { isElement, isText } from "./elements.ts";
import { withRemarks } from "./footnotes.ts";
import { toHtml } from "./markdown.ts";
import { readRecordList } from "./record-list.ts";
import { strikeText } from "./struck-text.ts";
import { type Grid, readGrid } from "./table.ts";
import { isInline, isSilent, plainText, type Words, wordsOf } from "./words.ts";

/** A page, in reading order. */
export interface Page {
  readonly sections: readonly Section[];
}

/** The content between two headings. */
export interface Section {
  /** The order of all dates on the page. */
  readonly dateOrder: DateOrder;
  /** The headings above it, outermost first; its own is the last. */
  readonly headings: readonly Heading[];
  readonly blocks: readonly Block[];
}

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

export type Block =
  | { readonly kind: "paragraph"; readonly words: Words }
  | { readonly kind: "list"; readonly items: readonly ListItem[] }
  | { readonly kind: "table"; readonly grid: Grid };

export interface ListItem {
  /** Without nested lists. */
  readonly words: Words;
  readonly lists: readonly (readonly ListItem[])[];
}

/** Parses a page in Markdown or HTML. */
export function readPage(text: string): Page {
  const reader = new PageReader();
  const document = parse(toHtml(text));
  strikeText(document);
  reader.read(document.childNodes);
  const lines = reader.sections.flatMap(linesOf);
  const dateOrder = dateOrderOf(lines);
  const sections = reader.sections.map((section) => ({ ...section, dateOrder }));
  return { sections: withRemarks(sections, lines) };
}

/** The text of a section: one line per heading, paragraph, list item and table row. */
export function linesOf({ headings, blocks }: Pick<Section, "headings" | "blocks">): string[] {
  const inItems = (items: readonly ListItem[]): readonly string[] =>
    items.flatMap(({ words, lists }) => [plainText(words), ...lists.flatMap(inItems)]);
  const inBlocks = blocks.flatMap((block) => {
    if (block.kind === "paragraph") return [plainText(block.words)];
    if (block.kind === "list") return inItems(block.items);
    return block.grid.rows.map((row) => row.map(plainText).join(" | "));
  });
  return [headings.at(-1)?.text ?? "", ...inBlocks];
}

/** The sentences of paragraphs, with code in backticks; a dot within a number or a model id does not end one. */
export function sentencesOf(blocks: readonly Block[]): readonly string[] {
  const paragraphs = blocks.filter((block) => block.kind === "paragraph");
  return paragraphs.flatMap(({ words }) => sentencesIn(words.text));
}

export const sentencesIn = (text: string): readonly string[] =>
  text.split(/(?<=[.!?:])\s+(?=[\p{Lu}`])/u);

interface OpenSection extends Omit<Section, "dateOrder"> {
  readonly headings: Heading[];
  readonly blocks: Block[];
}

class PageReader {
  readonly sections: OpenSection[] = [{ headings: [], blocks: [] }];
  #line: Tree.ChildNode[] = [];
  /** Bold lines, which may be headings. */
  readonly #titles = new WeakSet<Block>();

  read(nodes: readonly Tree.ChildNode[]): void {
    for (const node of nodes) {
      if (isInline(node) && !holdsBlocks(node)) this.#line.push(node);
      else if (isElement(node) && !isSilent(node)) this.#readBlock(node);
    }
    this.#endLine();
  }

  #readBlock(element: Tree.Element): void {
    this.#endLine();
    const blocks = this.sections.at(-1)?.blocks;
    const { tagName } = element;
    if (/^h[1-6]$/.test(tagName)) this.#openSection(element);
    else if (tagName === "table") this.#readTable(element);
    else if (isList(element) && !holds(element, "table")) blocks?.push(readList(element));
    else this.read(element.childNodes);
  }

  /** A bold line directly above a table is its heading. */
  #readTable(element: Tree.Element): void {
    const blocks = this.sections.at(-1)?.blocks;
    const above = blocks?.at(-1);
    if (above?.kind === "paragraph" && this.#titles.has(above)) {
      blocks?.pop();
      this.#open(lowestLevel, plainText(above.words), "");
    }
    this.sections.at(-1)?.blocks.push({ kind: "table", grid: readGrid(element) });
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = [];
    const words = wordsOf(line);
    if (words.text === "") this.#anchorHeading(line);
    else if (isBold(line) && dayAtStart(words.text, "month-first") !== "")
      this.#open(lowestLevel, plainText(words), "");
    else {
      const block = { kind: "paragraph", words } as const;
      if (isBold(line)) this.#titles.add(block);
      this.sections.at(-1)?.blocks.push(block);
    }
  }

  #openSection(element: Tree.Element): void {
    const level = Number(element.tagName.slice(1));
    const text = plainText(wordsOf(element.childNodes));
    if (text !== "") this.#open(level, text, anchorOf(element));
  }

  #open(level: number, text: string, anchor: string): void {
    const above = this.sections.at(-1)?.headings.filter((heading) => heading.level < level) ?? [];
    const headings = [...above, { level, text, anchor: anchor || slug(text) }];
    this.sections.push({ headings, blocks: [] });
  }

  /** Some pages put an empty `<a name>` after the heading it belongs to. */
  #anchorHeading(line: readonly Tree.ChildNode[]): void {
    const section = this.sections.at(-1);
    const heading = section?.headings.at(-1);
    const name = line
      .filter(isElement)
      .map(ownAnchor)
      .find((anchor) => anchor !== "");
    if (name === undefined || section?.blocks.length !== 0 || heading === undefined) return;
    section.headings[section.headings.length - 1] = { ...heading, anchor: name };
  }
}

const lowestLevel = 6;

/** A bold line that begins with a day is the heading of an announcement. */
function isBold(line: readonly Tree.ChildNode[]): boolean {
  const nodes = line.filter((node) => !isText(node) || node.value.trim() !== "");
  return nodes.every((node) => isElement(node) && /^(?:b|strong)$/.test(node.tagName));
}

const isList = ({ tagName }: Tree.Element): boolean => tagName === "ul" || tagName === "ol";

function readList(list: Tree.Element): Block {
  const items = readItems(list);
  const grid = readRecordList(items);
  return grid === undefined ? { kind: "list", items } : { kind: "table", grid };
}

function readItems(list: Tree.Element): readonly ListItem[] {
  return list.childNodes
    .filter(isElement)
    .filter(({ tagName }) => tagName === "li")
    .map((item) => ({
      words: wordsOf(item.childNodes, isList),
      lists: item.childNodes.filter(isElement).filter(isList).map(readItems),
    }));
}

function holds(element: Tree.Element, tagName: string): boolean {
  const children = element.childNodes.filter(isElement);
  return children.some((child) => child.tagName === tagName || holds(child, tagName));
}

function holdsBlocks(node: Tree.ChildNode): boolean {
  if (!isElement(node)) return false;
  return node.childNodes.some(
    (child) => isElement(child) && (!isInline(child) || holdsBlocks(child)),
  );
}
