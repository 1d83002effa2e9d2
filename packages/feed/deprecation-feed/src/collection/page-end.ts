import { hash } from "node:crypto";

const htmlStart = /^\uFEFF?\s*(?:<!doctype html|<html)\b/i;

const fragmentStart = /^\uFEFF?\s*<[a-z]/;
/** Elements whose end tags nobody leaves out. */
const pairedTags = "a blockquote code div dl h1 h2 h3 h4 li ol p strong table td tr ul".split(" ");

/** Whether a page visibly ends before its end: without its closing tags, or in the middle of a row, a tag or code. */
export function isCut(page: string): boolean {
  if (htmlStart.test(page)) return !/<\/(?:html|body)\s*>/i.test(page.slice(-10_000));
  if (fragmentStart.test(page))
    return pairedTags.some((tag) => isLeftOpen(page, tag)) || isOpenAt(page, "<", ">");
  const last = page.slice(page.lastIndexOf("\n") + 1);
  const isOpenRow = /^\s*\|/.test(last) && !/\|\s*$/.test(last);
  return isOpenRow || (last.match(/`/g)?.length ?? 0) % 2 === 1 || isOpenAt(last, "[", "]");
}

const isOpenAt = (text: string, start: string, end: string): boolean =>
  text.lastIndexOf(start) > text.lastIndexOf(end);

function isLeftOpen(page: string, tag: string): boolean {
  const count = (start: string): number =>
    page.match(new RegExp(`${start}${tag}\\b`, "gi"))?.length ?? 0;
  return count("<") > count("</");
}

/**
 * The end of a page, to be compared with its previous end. Empty for HTML, which ends with its closing tag, and whose
 * last words change with every visit.
 */
export function tailOf(page: string): string {
  if (htmlStart.test(page)) return "";
  return hash("sha256", page.trimEnd().slice(-80), "base64url").slice(0, 16);
}
