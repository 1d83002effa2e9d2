import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { attribute, isElement } from "./elements.ts";

/** The anchor of a heading; empty if it has none. */
export function anchorOf(heading: Tree.Element): string {
  const inner = heading.childNodes.filter(isElement).map(ownAnchor);
  return [ownAnchor(heading), ...inner].find((anchor) => anchor !== "") ?? "";
}

export function ownAnchor(element: Tree.Element): string {
  const href = attribute(element, "href");
  return (
    attribute(element, "id") ||
    attribute(element, "name") ||
    (href.startsWith("#") ? href.slice(1) : "")
  );
}

/** The anchor that most sites make from a heading's text; one that does not exist does no harm. */
export function slug(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
  return words.trim().replace(/\s/g, "-");
}
