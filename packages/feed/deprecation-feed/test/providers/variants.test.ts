import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainDashes } from "../../src/extraction/dates.ts";
import { toHtml } from "../../src/extraction/markdown.ts";
import { looksLikeModelId } from "../../src/extraction/model-ids.ts";
import { factsOf } from "./facts.ts";
import { ownPages, publishedPages } from "./pages.ts";
import {
  changeDashes,
  insertTables,
  permuteColumns,
  rewordHeadings,
  shuffleRows,
  spaceOut,
  type Variant,
  vary,
} from "./variants.ts";

const variants: readonly (readonly [string, Variant])[] = [
  ["other orders of columns", permuteColumns],
  ["other orders of rows", shuffleRows],
  ["tables in between that list no models that end", insertTables],
  ["other spaces", spaceOut],
  ["other dashes", changeDashes],
  ["other words in the headings of columns", rewordHeadings],
];

/** Quotes keep the spaces and dashes of the page. */
const unquoted = (facts: readonly { readonly shutdown_text?: string }[]): unknown =>
  facts.map(({ shutdown_text, ...rest }) => ({
    ...rest,
    shutdown_text: plainDashes(shutdown_text ?? "").replace(/\s+/g, " "),
  }));

const published = publishedPages();
const groups = [
  { name: "our own pages", pages: ownPages(), numRuns: 8 },
  { name: "the providers' published pages", pages: published, numRuns: 2 },
];

describe.each(groups.filter(({ pages }) => pages.length > 0))("$name", ({ pages, numRuns }) => {
  test.each(pages)(
    "$provider.label gives the same notices as HTML",
    ({ provider, text, facts }) => {
      expect(factsOf(provider.extract(toHtml(text)))).toEqual(facts);
    },
  );

  describe.each(variants)("with %s", (_name, variant) => {
    test.each(pages)("$provider.label gives the same notices", ({ provider, text, facts }) => {
      const html = toHtml(text);
      fc.assert(
        fc.property(fc.nat(10_000), (seed) => {
          const found = factsOf(provider.extract(vary(html, variant, seed)));
          expect(unquoted(found)).toEqual(unquoted(facts));
        }),
        { numRuns, seed: 1 },
      );
    });
  });
});

test.each(ownPages())("a fragment of $provider.label's page gives only ids and days", (page) => {
  const { provider, text } = page;
  fc.assert(
    fc.property(fc.nat(text.length), fc.nat(text.length), (start, length) => {
      for (const notice of provider.extract(text.slice(start, start + length))) {
        expect(looksLikeModelId(notice.model_id)).toBe(true);
        const { announcement_date, deprecation_date, shutdown_date } = notice;
        for (const day of [announcement_date, deprecation_date, shutdown_date])
          expect(day).toMatch(/^(?:\d{4}-\d{2}-\d{2})?$/);
      }
    }),
    { numRuns: 40, seed: 1 },
  );
});
