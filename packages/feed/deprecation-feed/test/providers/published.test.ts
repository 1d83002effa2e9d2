import { describe, expect, test } from "vitest";
import { looksLikeModelId } from "../../src/extraction/model-ids.ts";
import { rollUp } from "../../src/extraction/roll-up.ts";
import { factsOf } from "./facts.ts";
import { hasPublishedPages, publishedFolder, publishedPages } from "./pages.ts";

if (!hasPublishedPages) {
  console.warn(`Left out: the providers' published pages, which would be in ${publishedFolder}.`);
}

const pages = publishedPages();

describe.skipIf(!hasPublishedPages)("the page published by", () => {
  test.each(pages)("$provider.label has exactly the notices that a person found on it", (page) => {
    expect(factsOf(page.provider.extract(page.text))).toEqual(page.facts);
  });

  test.each(pages)("$provider.label has ids that look like ids", ({ provider, text }) => {
    const ids = provider.extract(text).map(({ model_id }) => model_id);
    expect(ids.filter((id) => !looksLikeModelId(id))).toEqual([]);
  });

  test.each([
    ["anthropic", 10],
    ["google-vertex", 8],
  ])(
    "%s has %i models that its page calls active, and none of them is deprecated",
    (slug, count) => {
      const page = pages.find(({ provider }) => provider.slug === slug);
      if (page === undefined) throw new Error(`there is no page of ${slug}`);
      const active = rollUp(page.provider.extract(page.text)).filter(
        ({ state, earliest_shutdown_date }) => state === "active" && earliest_shutdown_date !== "",
      );
      expect(active).toHaveLength(count);
    },
  );
});
