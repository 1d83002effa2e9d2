import type { Catalogue, KnownNotice } from "../collection/catalogue.ts";
import { compareText } from "../notice/compare-text.ts";
import type { Provider } from "../notice/notice.ts";
import { shutdownWords } from "./item-text.ts";

/** A provider's models as Markdown, for people and language models. */
export function providerMarkdown(provider: Provider, { notices }: Catalogue): string {
  const own = notices.filter(({ slug }) => slug === provider.slug).sort(byShutdown);
  const rows = own.map((notice) =>
    [
      `\`${notice.model_id}\``,
      notice.status,
      shutdownWords(notice),
      notice.deprecation_date,
      notice.replacement_models.map((model) => `\`${model}\``).join(", "),
    ].map(cell),
  );
  return [
    `# ${provider.label}: models that end`,
    "",
    `Read from <${provider.page_url}>, which is authoritative.`,
    "",
    "| Model | Status | Shutdown | Deprecated | Replacement |",
    "| --- | --- | --- | --- | --- |",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

/** An index in the format of llmstxt.org. */
export function llmsText(
  providers: readonly Provider[],
  { notices }: Catalogue,
  base_url: string,
): string {
  const lines = providers.map(({ label, slug }) => {
    const count = notices.filter((notice) => notice.slug === slug).length;
    return `- [${label}](${base_url}v1/providers/${slug}/models.md): ${count} models`;
  });
  return [
    "# AI model shutdowns",
    "",
    "> When which AI models are deprecated and shut down, according to their providers' pages. Updated daily.",
    "",
    "## Providers",
    "",
    ...lines,
    "",
    "## Data",
    "",
    `- [JSON Feed](${base_url}v1/feed.json): one item for each model and each change`,
    `- [Everything](${base_url}v1/deprecations.json): everything known, with quotes from the pages`,
    `- [Status](${base_url}v1/status.json): whether each page could be read`,
    "",
  ].join("\n");
}

/** The latest shutdown first; models without a date last. */
const byShutdown = (a: KnownNotice, b: KnownNotice): number =>
  compareText(b.shutdown_date, a.shutdown_date) || compareText(a.model_id, b.model_id);

const cell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s+/g, " ");
