import { hash } from "node:crypto";

const htmlStart = /^\uFEFF?\s*(?:<!doctype html|<html)\b/i;

/** Whether a page that is whole HTML breaks off before its end. */
export const isCutHtml = (page: string): boolean =>
  htmlStart.test(page) && !/<\/(?:html|body)\s*>/i.test(page.slice(-10_000));

/**
 * How a page ends, to be compared with how it ended before. Empty for HTML, whose end is its closing
 * tag, and whose last words change with every visit.
 */
export function tailOf(page: string): string {
  if (htmlStart.test(page)) return "";
  return hash("sha256", page.trimEnd().slice(-80), "base64url").slice(0, 16);
}
