import { readdir, readFile } from "node:fs/promises";
import type { PageBundle } from "./page-bundle.ts";

const folder = new URL("../page/", import.meta.url);
const read = (name: string): Promise<string> => readFile(new URL(name, folder), "utf8");

/** The page that was built for the published package. */
export async function pageBundle(): Promise<PageBundle> {
  const names = await readdir(new URL("scripts/", folder));
  const [whole, style, ...texts] = await Promise.all([
    read("whole.js"),
    read("console.css"),
    ...names.map((name) => read(`scripts/${name}`)),
  ]);
  return { scripts: new Map(names.map((name, index) => [name, texts[index] ?? ""])), whole, style };
}
