import { hash } from "node:crypto";

const htmlStart = /^\uFEFF?\s*(?:<!doctype html|<html)\b/i;

/** Whether an HTML page is truncated. */
export const isCutHtml = (page: string): boolean =>
  htmlStart.test(page) && !/<\/(?:html|body)\s*>/i.test(page.slice(-10_000));

/**
 * The end of a page, to be compared with its previous end. Empty for HTML, which ends with its closing tag, and whose
 * last words change with every visit.
 */
export function tailOf(page: string): string {
  if (htmlStart.test(page)) return "";
  return hash("sha256", page.trimEnd().slice(-80), "base64url").slice(0, 16);
}
