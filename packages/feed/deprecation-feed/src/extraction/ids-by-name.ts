import { readModelIds } from "./id-cells.ts";
import type { Page } from "./page.ts";
import { plainText } from "./words.ts";

const idHeading = /\bids?\b|identifier/i;
const nameHeading = /\bnames?\b|^models?$/i;

/** Ids by name, from the page's tables that have both, for rows elsewhere with only a name. */
export function idsByName({ sections }: Page): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { blocks } of sections) {
    for (const block of blocks) {
      if (block.kind !== "table") continue;
      const { headings, rows } = block.grid;
      const id = headings.findIndex((heading) => idHeading.test(heading));
      const name = headings.findIndex(
        (heading) => nameHeading.test(heading) && !idHeading.test(heading),
      );
      if (id === -1 || name === -1) continue;
      for (const row of rows) {
        const [found] = readModelIds(row[id]?.text ?? "");
        const called = row[name];
        if (found !== undefined && called !== undefined) ids.set(nameKey(plainText(called)), found);
      }
    }
  }
  return ids;
}

export const nameKey = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.+]+/gu, " ")
    .trim();
