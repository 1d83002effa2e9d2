import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { Notice, PageState, Provider } from "@proj/deprecation-feed";
import { type Listening, listen } from "@proj/test-kit";

/** A real server of pages, which can be changed at any time. */
export interface PageSite extends Listening {
  /** By path: a page's text, or how to answer. */
  readonly pages: Map<string, string | RequestListener>;
  /** The received requests. */
  readonly requests: IncomingMessage[];
}

export async function startPageSite(
  pages: Record<string, string | RequestListener> = {},
): Promise<PageSite> {
  const byPath = new Map(Object.entries(pages));
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const page = byPath.get(request.url ?? "");
    if (typeof page === "function") return page(request, response);
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/markdown" });
    response.end(page);
  });
  return { ...(await listen(server)), pages: byPath, requests };
}

/** Longer than the end that identifies a page. */
const footer = `(${"That is all. ".repeat(8)})`;

/** A page in the format of `testProvider`: a heading, then one line per row. */
export function deprecationPage(...rows: readonly Partial<Notice>[]): string {
  const lines = rows.map((row) =>
    [
      row.model_id,
      row.announcement_date,
      row.deprecation_date,
      row.shutdown_date,
      row.replacement_models?.join(","),
      row.regions?.join(","),
      row.aliases?.join(","),
      row.shutdown_text,
      row.earliest_shutdown_date,
      row.state,
    ].join("|"),
  );
  return ["# Deprecations", ...lines, footer, ""].join("\n");
}

/** A provider with the simplest possible page. */
export function testProvider(site: { url: string }, slug = "acme"): Provider {
  return {
    label: slug[0]?.toUpperCase() + slug.slice(1),
    slug,
    page_url: `https://docs.${slug}.example/deprecations`,
    source_url: `${site.url}/${slug}`,
    allowed_hosts: [`docs.${slug}.example`],
    extract,
  };
}

function extract(page: string): readonly Notice[] {
  const [heading, ...lines] = page.split("\n");
  if (heading !== "# Deprecations") return [];
  return lines.filter((line) => line !== "" && line !== footer).map(readRow);
}

function readRow(line: string): Notice {
  const cells = line.split("|");
  const list = (text = ""): string[] => text.split(",").filter((entry) => entry !== "");
  const [model_id = "", announcement_date = "", deprecation_date = "", shutdown_date = ""] = cells;
  const [replacements, regions, aliases, shutdown_text = ""] = cells.slice(4);
  const [earliest_shutdown_date = "", state = ""] = cells.slice(8);
  return {
    model_id,
    aliases: list(aliases),
    announcement_date,
    deprecation_date,
    shutdown_date,
    earliest_shutdown_date,
    state: pageState(state),
    shutdown_text,
    replacement_models: list(replacements),
    regions: list(regions),
    anchor: "list",
    source_text: line,
  };
}

const pageState = (text: string): PageState =>
  (["active", "deprecated", "shutdown"] as const).find((state) => state === text) ?? "";
