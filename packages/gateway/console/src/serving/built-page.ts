import { readFile } from "node:fs/promises";
import type { PageBundle } from "./page-bundle.ts";

const read = (name: string): Promise<string> =>
  readFile(new URL(`../page/${name}`, import.meta.url), "utf8");

/** The page that was built for the published package. */
export async function pageBundle(): Promise<PageBundle> {
  const [script, style] = await Promise.all([read("console.js"), read("console.css")]);
  return { script, style };
}
