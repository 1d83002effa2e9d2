import { type Catalogue, type KnownNotice, newestChange } from "../collection/catalogue.ts";
import { escapeMarkup } from "../feeds/escape-markup.ts";
import { compareText } from "../notice/compare-text.ts";
import type { Provider } from "../notice/notice.ts";
import { noticeEntry } from "./notice-entry.ts";

/**
 * The web page, with the whole list in it: it can be read without scripts. The file must not change from day to day, so
 * "upcoming" is relative to the day of the newest change; the script makes it relative to today.
 */
export function pageFile(catalogue: Catalogue, providers: readonly Provider[]): string {
  const { notices } = catalogue;
  const asOf = newestChange(catalogue)?.slice(0, 10) ?? "";
  const dated = notices.filter(({ shutdown_date }) => shutdown_date !== "");
  const upcoming = dated.filter(({ shutdown_date }) => shutdown_date >= asOf).sort(byShutdown);
  const past = dated
    .filter(({ shutdown_date }) => shutdown_date < asOf)
    .sort(byShutdown)
    .reverse();
  const others = notices.filter(({ shutdown_date }) => shutdown_date === "");
  const active = others.filter(({ status }) => status === "active");
  const undated = others.filter(({ status }) => status !== "active");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="When which AI models are deprecated and shut down, according to their providers' pages.">
<title>AI model shutdowns</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page/kit.css">
<link rel="stylesheet" href="page/style.css">
<link rel="stylesheet" href="page/timeline.css">
<link rel="alternate" type="application/feed+json" title="JSON Feed" href="v1/feed.json">
<link rel="alternate" type="application/rss+xml" title="RSS" href="v1/feed.xml">
<script type="module" src="page/main.js"></script>
</head>
<body>
<header>
<h1>AI model shutdowns</h1>
<p>What shuts down next, read every day from the providers’ own pages.</p>
<p class="links"><a href="v1/feed.json">JSON Feed</a> <a href="v1/feed.xml">RSS</a> <a href="v1/calendar.ics">Calendar</a> <a href="v1/deprecations.json">Data</a></p>
</header>
<main>
<form id="filters" role="search" hidden>
<label>Search <input type="search" name="q" placeholder="model, replacement, 2026-12 …" autocomplete="off"></label>
<label>Provider <select name="provider"><option value="">All</option>${providers.map(providerOption).join("")}</select></label>
<label>My models <input type="text" name="models" placeholder="ids, separated by commas" autocomplete="off" spellcheck="false"></label>
<output id="found"></output>
</form>
<p id="own" hidden>Only my models: <a id="own-feed" href="v1/feed.json">JSON Feed</a> <a id="own-rss" href="v1/feed.xml">RSS</a> <a id="own-calendar" href="v1/calendar.ics">Calendar</a></p>
<p id="stale" role="status" hidden></p>
<section id="timeline" aria-label="Timeline" hidden></section>
${section("upcoming", "Shutting down", upcoming)}
${section("undated", "No shutdown date given", undated)}
${section("active", "Active, with no shutdown date", active)}
${section("past", "Shut down", past)}
<p id="none"${notices.length === 0 ? "" : " hidden"}>${notices.length === 0 ? "No page could be read yet." : "No models match."}</p>
</main>
<footer>
<h2>By provider</h2>
<ul class="providers">
${providers.map((provider) => providerEntry(provider, notices)).join("\n")}
</ul>
<p>Every entry quotes the page that it was read from; that page is authoritative.${asOf === "" ? "" : ` Last change: <time datetime="${asOf}">${asOf}</time>.`}</p>
</footer>
</body>
</html>
`;
}

const byShutdown = (a: KnownNotice, b: KnownNotice): number =>
  compareText(a.shutdown_date, b.shutdown_date);

const section = (id: string, heading: string, notices: readonly KnownNotice[]): string =>
  `<section id="${id}"${notices.length === 0 ? " hidden" : ""}>
<h2>${heading} <span class="count">${notices.length}</span></h2>
<ol class="notices">
${notices.map(noticeEntry).join("\n")}
</ol>
</section>`;

const providerOption = ({ slug, label }: Provider): string =>
  `<option value="${escapeMarkup(slug)}">${escapeMarkup(label)}</option>`;

function providerEntry(
  { slug, label, page_url }: Provider,
  notices: readonly KnownNotice[],
): string {
  const count = notices.filter((notice) => notice.slug === slug).length;
  const feeds = `v1/providers/${slug}/feed`;
  return (
    `<li data-provider="${escapeMarkup(slug)}"><a href="${escapeMarkup(page_url)}">${escapeMarkup(label)}</a> ` +
    `<span class="count">${count}</span> <a href="${feeds}.json">JSON</a> <a href="${feeds}.xml">RSS</a></li>`
  );
}
