import { defaultTreeAdapter, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { isElement, isText } from "../../src/extraction/elements.ts";

/** Tables without row or column spans, with rows of equal length. */
export function regularTables(document: Tree.Document): readonly Tree.Element[] {
  return elementsOf(document, "table").filter((element) => {
    const cells = [...elementsOf(element, "td"), ...elementsOf(element, "th")];
    const widths = new Set(elementsOf(element, "tr").map((row) => cellsOf(row).length));
    const spans = cells.some((cell) =>
      cell.attrs.some(({ name }) => /^(?:col|row)span$/.test(name)),
    );
    return !spans && widths.size === 1;
  });
}

export function elementsOf(node: Tree.Node, tagName: string): readonly Tree.Element[] {
  if (!("childNodes" in node)) return [];
  return node.childNodes.flatMap((child) => [
    ...(isElement(child) && child.tagName === tagName ? [child] : []),
    ...elementsOf(child, tagName),
  ]);
}

export function textsIn(document: Tree.Document, tagName: string): readonly Tree.TextNode[] {
  const texts = (node: Tree.Node): readonly Tree.TextNode[] =>
    isText(node) ? [node] : "childNodes" in node ? node.childNodes.flatMap(texts) : [];
  return elementsOf(document, tagName).flatMap(texts);
}

export const cellsOf = (row: Tree.Element | undefined): readonly Tree.Element[] =>
  row?.childNodes.filter(isElement) ?? [];

export function replaceChildren(parent: Tree.Element, children: readonly Tree.Element[]): void {
  for (const child of [...parent.childNodes]) defaultTreeAdapter.detachNode(child);
  for (const child of children) defaultTreeAdapter.appendChild(parent, child);
}
