import type { KnownNotice } from "../collection/catalogue.ts";
import { escapeMarkup } from "../feeds/escape-markup.ts";
import { shutdownWords } from "../feeds/item-text.ts";

/** One model in the list. The scripts read what they need from its `data-` attributes. */
export function noticeEntry(notice: KnownNotice): string {
  const { slug, provider, model_id, shutdown_date, deprecation_date, last_observed, status } =
    notice;
  const replacements = notice.replacement_models.map(code).join(", ");
  const facts = [
    ["Status", status],
    ["Replacement", replacements],
    ["Deprecated", deprecation_date],
    ["Announced", notice.announcement_date],
    ["Also called", notice.aliases.map(code).join(", ")],
    ["Regions", escapeMarkup(notice.regions.join(", "))],
    ["No longer listed", last_observed === "" ? "" : `last seen ${last_observed}`],
  ].filter(([, value]) => value !== "");
  return `<li id="${entryId(notice)}" data-provider="${escapeMarkup(slug)}" data-label="${escapeMarkup(provider)}" data-model="${escapeMarkup(model_id)}" data-aliases="${escapeMarkup(notice.aliases.join(" "))}" data-shutdown="${shutdown_date}">
<p class="when">${whenWords(notice)}</p>
<div>
<h3>${code(model_id)} <span class="provider">${escapeMarkup(provider)}</span></h3>
<dl>${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("")}</dl>
<details><summary>From the page</summary><blockquote cite="${escapeMarkup(notice.url)}">${quoted(notice.source_text)}</blockquote><a href="${escapeMarkup(notice.url)}">${escapeMarkup(provider)}’s page</a></details>
</div>
</li>`;
}

const entryId = ({ slug, model_id }: KnownNotice): string =>
  escapeMarkup(`${slug}:${encodeURIComponent(model_id)}`);

function whenWords(notice: KnownNotice): string {
  const { shutdown_date } = notice;
  if (shutdown_date === "") return escapeMarkup(shutdownWords(notice));
  return `<time datetime="${shutdown_date}">${shutdown_date}</time>`;
}

const code = (text: string): string => `<code>${escapeMarkup(text)}</code>`;
const quoted = (text: string): string => escapeMarkup(text).replaceAll("\n", "<br>");
