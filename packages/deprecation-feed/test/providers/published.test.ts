import { describe, expect, test } from "vitest";
import { looksLikeModelId } from "../../src/extraction/model-ids.ts";
import { providers } from "../../src/providers/providers.ts";
import { factsOf } from "./facts.ts";
import { hasPublishedPages, publishedFolder, publishedPage } from "./pages.ts";

if (!hasPublishedPages) {
  console.warn(`Left out: the providers' published pages, which would be in ${publishedFolder}.`);
}

describe.skipIf(!hasPublishedPages)("the page that is published by", () => {
  test.each(providers)("$label has exactly the notices that a person found on it", (provider) => {
    const { text, facts } = publishedPage(provider);
    expect(factsOf(provider.extract(text))).toEqual(facts);
  });

  test.each(providers)("$label has ids that look like ids", (provider) => {
    const notices = provider.extract(publishedPage(provider).text);
    const ids = notices.map(({ model_id }) => model_id);
    expect(ids.filter((id) => !looksLikeModelId(id))).toEqual([]);
  });
});
