import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Provider } from "../../src/notice/notice.ts";
import { providers } from "../../src/providers/providers.ts";
import type { Facts } from "./facts.ts";

/** A page with the notices that a person found on it. */
export interface ReviewedPage {
  readonly provider: Provider;
  readonly text: string;
  readonly facts: readonly Facts[];
}

const fixtures = new URL("../fixtures/", import.meta.url);
const reviewed = new URL("./reviewed/", import.meta.url);
/** Pages as published by the providers. They belong to others, so they are not in the repository. */
const published = new URL("../../../../../../shared/fixtures/deprecation-pages/", import.meta.url);

const publishedFiles: Readonly<Record<string, string>> = {
  openai: "openai-deprecations.md",
  anthropic: "anthropic-deprecations.md",
  "google-gemini": "google-deprecations.md",
  "google-vertex": "vertex-model-versions.md",
  "aws-bedrock": "bedrock-model-lifecycle.md",
  azure: "azure-model-lifecycle.html",
  cohere: "cohere-deprecations.md",
  groq: "groq-deprecations.md",
  xai: "xai-may-15-retirement.md",
  mistral: "mistral-models.md",
};
const htmlFixtures = new Set([
  "alibaba",
  "aws-bedrock",
  "azure",
  "google-changelog",
  "google-vertex-partners",
]);

export const hasPublishedPages: boolean = existsSync(published);
export const publishedFolder: string = fileURLToPath(published);

export function ownPages(): readonly ReviewedPage[] {
  return providers.map((provider) => {
    const { slug } = provider;
    const form = htmlFixtures.has(slug) ? "html" : "md";
    return readPages(
      provider,
      new URL(`${slug}.${form}`, fixtures),
      new URL(`${slug}.json`, fixtures),
    );
  });
}

/** Empty unless `hasPublishedPages`. */
export function publishedPages(): readonly ReviewedPage[] {
  if (!hasPublishedPages) return [];
  return providers.flatMap((provider) => {
    const { slug } = provider;
    const file = publishedFiles[slug];
    if (file === undefined) return [];
    return [readPages(provider, new URL(file, published), new URL(`${slug}.json`, reviewed))];
  });
}

function readPages(provider: Provider, page: URL, list: URL): ReviewedPage {
  const facts: readonly Facts[] = JSON.parse(readFileSync(list, "utf8"));
  return { provider, text: readFileSync(page, "utf8"), facts };
}
