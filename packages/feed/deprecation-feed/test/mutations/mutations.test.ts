import { describe, expect, test } from "vitest";
import { toHtml } from "../../src/extraction/markdown.ts";
import { ownPages, publishedPages } from "../providers/pages.ts";
import { mutations } from "./kinds.ts";
import { outcomeOf } from "./outcome.ts";

const published = publishedPages();
/** At least `leastRight` mutated pages are read correctly; the rest are held back, or not changed by the mutation. */
const groups = [
  { name: "our own pages", pages: ownPages(), kinds: mutations, leastRight: 345 },
  // Long pages: only the command runs all kinds on them.
  {
    name: "the providers' published pages",
    pages: published,
    kinds: mutations.filter((_, index) => index % 4 === 0),
    leastRight: 80,
  },
];

describe.each(groups.filter(({ pages }) => pages.length > 0))(
  "redesigns of $name",
  ({ pages, kinds, leastRight }) => {
    let right = 0;

    test.each(pages)(
      "of $provider.label publish no wrong date and miss no row in silence",
      (page) => {
        const html = toHtml(page.text);
        const silent: string[] = [];
        for (const mutation of kinds) {
          const outcome = outcomeOf(page.provider, html, mutation);
          if (outcome.kind === "right") right += 1;
          if (outcome.kind === "silent")
            silent.push(`${mutation.group}, ${mutation.name}: ${outcome.what}`);
        }
        expect(silent).toEqual([]);
      },
    );

    test("are read, not only noticed, if the page still says the same", () => {
      expect(right).toBeGreaterThanOrEqual(leastRight);
    });
  },
);

test("there are at least forty kinds", () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40);
});
