import { describe, expect, test } from "vitest";
import { toHtml } from "../../src/extraction/markdown.ts";
import { ownPages, publishedPages } from "../providers/pages.ts";
import { mutations } from "./kinds.ts";
import { outcomeOf } from "./outcome.ts";

const published = publishedPages();
/** Of `leastRight` pages the mutated form is read; the rest is held back, or not changed by a mutation. */
const groups = [
  { name: "our own pages", pages: ownPages(), kinds: mutations, leastRight: 345 },
  // Long pages: the command does all kinds.
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

    test("are read, and not only noticed, wherever the page still says what it said", () => {
      expect(right).toBeGreaterThanOrEqual(leastRight);
    });
  },
);

test("there are at least forty kinds of them", () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40);
});
