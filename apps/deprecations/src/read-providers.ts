import { type Provider, providers } from "@proj/deprecation-feed";
import { UsageError } from "./command-line.ts";

/**
 * All providers, some with their page at another address.
 * @throws UsageError a slug that no provider has
 */
export function readProviders(pages: ReadonlyMap<string, string>): readonly Provider[] {
  requireSlugs("--page", [...pages.keys()]);
  return providers.map((provider) => {
    const source_url = pages.get(provider.slug);
    return source_url === undefined ? provider : { ...provider, source_url };
  });
}

/** @throws UsageError */
export function requireSlugs(option: string, slugs: readonly string[]): void {
  const known = providers.map(({ slug }) => slug);
  const unknown = slugs.find((slug) => !known.includes(slug));
  if (unknown !== undefined)
    throw new UsageError(`${option}: no provider '${unknown}'; there are ${known.join(", ")}`);
}
