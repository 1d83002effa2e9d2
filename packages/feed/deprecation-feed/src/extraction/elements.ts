import type { DefaultTreeAdapterTypes as Tree } from "parse5";

export const isElement = (node: Tree.Node): node is Tree.Element => "tagName" in node;
export const isText = (node: Tree.Node): node is Tree.TextNode => node.nodeName === "#text";

export function attribute(element: Tree.Element, name: string): string {
  return element.attrs.find((attr) => attr.name === name)?.value ?? "";
}

/** Calls a function for every node below a node, in reading order. */
export function forEachBelow(node: Tree.Node, call: (node: Tree.Node) => void): void {
  if (!("childNodes" in node)) return;
  for (const child of node.childNodes) {
    call(child);
    forEachBelow(child, call);
  }
}
