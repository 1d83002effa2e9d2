import type { FeedState } from "../collection/feed-state.ts";
import { deprecationsFile, providersFile, statusFile } from "../feeds/data-files.ts";
import { feedFile } from "../feeds/feed-files.ts";
import { llmsText, providerMarkdown } from "../feeds/markdown.ts";
import { select } from "../feeds/select.ts";
import type { Provider } from "../notice/notice.ts";
import { browserFiles } from "../page/browser-files.ts";
import { pageFile } from "../page/page-file.ts";

/**
 * All files of the site by path. A pure function of the state, so that a run that learns nothing changes only
 * `v1/status.json`.
 * @param base_url where the files are served, with a trailing slash
 */
export function siteFiles(
  state: FeedState,
  providers: readonly Provider[],
  base_url: string,
): ReadonlyMap<string, string> {
  const { catalogue } = state;
  const files = new Map(browserFiles());
  files.set("index.html", pageFile(catalogue, providers));
  files.set("v1/deprecations.json", deprecationsFile(state));
  files.set("v1/status.json", statusFile(state));
  for (const [slug, { text, changes }] of state.pages) {
    files.set(`v1/snapshots/${slug}.txt`, text);
    files.set(`v1/snapshots/${slug}.changes.txt`, changes);
  }
  files.set("v1/providers.json", providersFile(providers, base_url));
  for (const form of ["feed.json", "feed.xml", "calendar.ics"] as const) {
    const path = `v1/${form}`;
    files.set(path, feedFile(form, catalogue, "AI", path, base_url));
  }
  files.set("llms.txt", llmsText(providers, catalogue, base_url));
  for (const provider of providers) {
    const { label, slug } = provider;
    files.set(`v1/providers/${slug}/models.md`, providerMarkdown(provider, catalogue));
    const own = select(catalogue, { providers: [slug], models: [] });
    for (const form of ["feed.json", "feed.xml"] as const) {
      const path = `v1/providers/${slug}/${form}`;
      files.set(path, feedFile(form, own, label, path, base_url));
    }
  }
  return files;
}
