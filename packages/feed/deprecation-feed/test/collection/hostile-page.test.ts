import { collect } from "@proj/deprecation-feed";
import { expect, test } from "vitest";
import { emptyState } from "../../src/collection/feed-state.ts";
import { anthropic } from "../../src/providers/anthropic.ts";
import { mistral } from "../../src/providers/mistral.ts";
import { startPageSite } from "../page-site.ts";
import { ownPages } from "../providers/pages.ts";

test("a page that no extractor can finish makes only its own provider stale", async () => {
  const page = ownPages().find(({ provider }) => provider === mistral)?.text ?? "";
  await using site = await startPageSite({ "/a": "<div>".repeat(300_000), "/m": page });
  const providers = [
    { ...anthropic, source_url: `${site.url}/a` },
    { ...mistral, source_url: `${site.url}/m` },
  ];
  const { statuses } = await collect(providers, emptyState);
  expect(statuses).toMatchObject([
    {
      slug: "anthropic",
      state: "stale",
      reason: expect.stringMatching(/^its extractor failed: /),
    },
    { slug: "mistral", state: "fresh" },
  ]);
});
