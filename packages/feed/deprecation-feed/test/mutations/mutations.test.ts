import { describe, expect, test } from "vitest";
import { toHtml } from "../../src/extraction/markdown.ts";
import { ownPages, publishedPages } from "../providers/pages.ts";
import { mutations } from "./kinds.ts";
import { outcomeOf, type RunKind } from "./outcome.ts";

interface Group {
  readonly name: string;
  readonly run: RunKind;
  readonly pages: ReturnType<typeof ownPages>;
  /** Only every nth kind is tried here; the command tries all kinds on all pages. */
  readonly every: number;
  /** How many mutated pages are read correctly at least; the rest are held, reported or not changed by the mutation. */
  readonly leastRight: number;
}

const groups: readonly Group[] = [
  { name: "our own pages", run: "next", pages: ownPages(), every: 1, leastRight: 1600 },
  { name: "our own pages", run: "first", pages: ownPages(), every: 4, leastRight: 350 },
  {
    name: "the providers' published pages",
    run: "next",
    pages: publishedPages(),
    every: 16,
    leastRight: 60,
  },
];

describe.each(groups.filter(({ pages }) => pages.length > 0))(
  "redesigns of $name, on a $run run,",
  ({ pages, run, every, leastRight }) => {
    const kinds = mutations.filter((_, index) => index % every === 0);
    let right = 0;

    test.each(pages)(
      "of $provider.label publish no wrong date, and leave nothing unread in silence",
      (page) => {
        const html = toHtml(page.text);
        const silent: string[] = [];
        for (const mutation of kinds) {
          const outcome = outcomeOf(page.provider, html, mutation, run);
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

test("there are at least 240 kinds", () => {
  const names = mutations.map(({ group, name }) => `${group}: ${name}`);
  expect(new Set(names).size).toBeGreaterThanOrEqual(240);
});
