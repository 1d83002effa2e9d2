import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { attribute, isElement } from "./words.ts";

/** What a heading is linked to by; empty where it does not say. */
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

/** As most sites make it of a heading's text; an anchor that a page does not have does no harm. */
export function slug(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
  return words.trim().replace(/\s/g, "-");
}
