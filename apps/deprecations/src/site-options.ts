import { providers } from "@proj/deprecation-feed";
import { type Option, optionalAs, repeatedAs, withDefault } from "@proj/program";

export const defaultOutput = "deprecations-feed";
export const defaultPort = 8090;

const slugs: readonly string[] = providers.map(({ slug }) => slug);

/** The error message for an unknown slug; null if a provider has it. */
export const unknownSlug = (slug: string): string | null =>
  slugs.includes(slug) ? null : `names no provider '${slug}'; there are ${slugs.join(", ")}`;

/** Options of `build` and `serve`. */
export const siteOptions: {
  readonly out: Option<string>;
  readonly url: Option<string | null>;
  readonly page: Option<readonly (readonly [slug: string, url: string])[]>;
  readonly webhook: Option<string | null>;
} = {
  out: withDefault("DIR", "the folder for the files", defaultOutput, {
    short: "o",
    completion: "files",
  }),
  url: optionalAs(
    "URL",
    `where the files will be served (default: http://127.0.0.1:${defaultPort}/; for serve, where it listens)`,
    (text, refuse) => {
      const url = URL.parse(text);
      if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
        return void refuse(`must be an http(s) URL without a query, not '${text}'`);
      return url.href.endsWith("/") ? url.href : `${url.href}/`;
    },
  ),
  webhook: optionalAs(
    "URL",
    "send the news of each run to this URL, signed with DEPRECATIONS_WEBHOOK_SECRET (Standard Webhooks)",
    (text, refuse) => {
      const isAddress = /^https?:$/.test(URL.parse(text)?.protocol ?? "");
      return isAddress ? text : void refuse("must be an http(s) URL");
    },
  ),
  page: repeatedAs(
    "SLUG=URL",
    "read a provider's page from this URL, such as a mirror",
    (text, refuse) => {
      const [, slug = "", url = ""] = /^([a-z0-9-]+)=(https?:\/\/.+)$/.exec(text) ?? [];
      if (!URL.canParse(url)) return void refuse(`must be of the form SLUG=URL, not '${text}'`);
      const unknown = unknownSlug(slug);
      return unknown === null ? ([slug, url] as const) : void refuse(unknown);
    },
  ),
};
