import { type Provider, providers } from "@proj/deprecation-feed";

/** All providers, some with another URL for their page. */
export function readProviders(
  pages: readonly (readonly [slug: string, url: string])[],
): readonly Provider[] {
  const urls = new Map(pages);
  return providers.map((provider) => {
    const source_url = urls.get(provider.slug);
    return source_url === undefined ? provider : { ...provider, source_url };
  });
}
