import type { FeedState } from "../collection/feed-state.ts";
import { deprecationsFile } from "../feeds/data-files.ts";
import { type FeedForm, feedFile } from "../feeds/feed-files.ts";
import { type Selection, select } from "../feeds/select.ts";
import type { Provider } from "../notice.ts";
import { Problem } from "./problem.ts";
import { fileOf, type SiteFile } from "./published-site.ts";

const filtered: ReadonlyMap<string, FeedForm | "deprecations.json"> = new Map(
  (["feed.json", "feed.xml", "calendar.ics", "deprecations.json"] as const).map((form) => [
    `v1/${form}`,
    form,
  ]),
);

/**
 * A feed as the query filters it; null where the path is no feed, or the query no filter.
 * @throws Problem 400 for a provider that there is not; a model that nobody lists is an empty feed,
 * so that it can be subscribed to before
 */
export function filteredFile(
  path: string,
  query: URLSearchParams,
  state: FeedState,
  { providers, base_url }: { readonly providers: readonly Provider[]; readonly base_url: string },
): SiteFile | null {
  const form = filtered.get(path);
  const asked = { providers: query.getAll("provider"), models: query.getAll("model") };
  if (form === undefined || asked.providers.length + asked.models.length === 0) return null;
  requireKnown(asked, providers);
  const catalogue = select(state.catalogue, asked);
  if (form === "deprecations.json")
    return fileOf(path, Buffer.from(deprecationsFile({ ...state, catalogue })));
  const subject = [...asked.models, ...labelsOf(asked, providers)].join(", ");
  const address = new URLSearchParams([
    ...asked.providers.map((slug) => ["provider", slug]),
    ...asked.models.map((model) => ["model", model]),
  ]);
  const text = feedFile(form, catalogue, subject, `${path}?${address}`, base_url);
  return fileOf(path, Buffer.from(text));
}

function requireKnown(asked: Selection, providers: readonly Provider[]): void {
  const slugs = providers.map(({ slug }) => slug);
  const unknown = asked.providers.find((slug) => !slugs.includes(slug));
  if (unknown === undefined) return;
  throw new Problem(400, `There is no provider '${unknown}'. There are: ${slugs.join(", ")}.`);
}

const labelsOf = (asked: Selection, providers: readonly Provider[]): readonly string[] =>
  providers.filter(({ slug }) => asked.providers.includes(slug)).map(({ label }) => label);
