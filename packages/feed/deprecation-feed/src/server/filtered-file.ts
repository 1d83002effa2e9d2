import type { StaticFile } from "@proj/program/page";
import { badge } from "../check/badge.ts";
import type { KnownNotice } from "../collection/catalogue.ts";
import type { FeedState } from "../collection/feed-state.ts";
import type { ModelStatus } from "../collection/model-status.ts";
import { deprecationsFile } from "../feeds/data-files.ts";
import { type FeedForm, feedFile } from "../feeds/feed-files.ts";
import { type Selection, select } from "../feeds/select.ts";
import { compareText } from "../notice/compare-text.ts";
import type { Provider } from "../notice/notice.ts";
import { Problem } from "./problem.ts";
import { fileOf } from "./published-site.ts";

const filtered: ReadonlyMap<string, FeedForm | "deprecations.json"> = new Map(
  (["feed.json", "feed.xml", "calendar.ics", "deprecations.json"] as const).map((form) => [
    `v1/${form}`,
    form,
  ]),
);

/**
 * A feed filtered by the query; null: the path is not a feed, or the query is not a filter.
 * @throws Problem 400 for an unknown provider. An unlisted model gives an empty feed, so that it can be subscribed to
 * before it is announced
 */
export function filteredFile(
  path: string,
  query: URLSearchParams,
  state: FeedState,
  { providers, base_url }: { readonly providers: readonly Provider[]; readonly base_url: string },
): StaticFile | null {
  if (path === "v1/badge.svg") return badgeFile(path, query, state);
  const form = filtered.get(path);
  const asked = {
    providers: query.getAll("provider").map((name) => slugFor(name, providers)),
    models: query.getAll("model"),
  };
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

const badgeColours: Readonly<Record<ModelStatus, string>> = {
  active: "brightgreen",
  deprecated: "orange",
  shutdown: "red",
  withdrawn: "lightgrey",
};

/**
 * The badge for `?model=`: its status, and its shutdown date if there is one.
 * @throws Problem 400 the query has no model, or more than one
 */
function badgeFile(path: string, query: URLSearchParams, { catalogue }: FeedState): StaticFile {
  const models = query.getAll("model");
  const [model = ""] = models;
  if (models.length !== 1 || model === "" || model.length > 200)
    throw new Problem(400, "A badge needs exactly one model: ?model=ID.");
  const { notices } = select(catalogue, { providers: [], models: [model] });
  const [soonest] = [...notices].sort((a, b) => compareText(lastOf(a), lastOf(b)));
  const svg =
    soonest === undefined
      ? badge(model, "unknown", "lightgrey")
      : badge(
          model,
          `${soonest.status}${soonest.shutdown_date === "" ? "" : ` ${soonest.shutdown_date}`}`,
          badgeColours[soonest.status],
        );
  return fileOf(path, Buffer.from(svg));
}

/** Models without a date come last. */
const lastOf = ({ shutdown_date }: KnownNotice): string => shutdown_date || "9999";

/** Callers may also use a provider's label. */
const slugFor = (name: string, providers: readonly Provider[]): string =>
  providers.find(({ label }) => label.toLowerCase() === name.toLowerCase())?.slug ?? name;

function requireKnown(asked: Selection, providers: readonly Provider[]): void {
  const slugs = providers.map(({ slug }) => slug);
  const unknown = asked.providers.find((slug) => !slugs.includes(slug));
  if (unknown === undefined) return;
  throw new Problem(400, `There is no provider '${unknown}'. There are: ${slugs.join(", ")}.`);
}

const labelsOf = (asked: Selection, providers: readonly Provider[]): readonly string[] =>
  providers.filter(({ slug }) => asked.providers.includes(slug)).map(({ label }) => label);
