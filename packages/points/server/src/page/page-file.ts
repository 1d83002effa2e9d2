import { rankings as allRankings, type Ranking } from "@proj/points-client/wire";

export interface PageSettings {
  /** Prefix of the API's paths; its characters need no escaping. */
  readonly prefix: string;
  /** Its characters need no escaping. */
  readonly network: string;
  /** The rankings to offer; null: those that the program has. */
  readonly rankings: readonly Ranking[] | null;
  readonly hasQuest: boolean;
}

const tabs = Object.entries(allRankings)
  .map(([name, { label }]) => `<a data-ranking="${name}" href="?ranking=${name}">${label}</a>`)
  .join("\n");

/** The web page; its scripts fill it from the API. */
export function pageFile({ prefix, network, rankings, hasQuest }: PageSettings): string {
  return `<!doctype html>
<html lang="en" data-prefix="${prefix}" data-network="${network}"${rankings === null ? "" : ` data-rankings="${rankings.join(" ")}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Points, rankings and prices of ${network}.">
<title>Points on ${network}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page/kit.css">
<link rel="stylesheet" href="page/style.css">
<script type="module" src="page/main.js"></script>
</head>
<body>
<header>
<h1>Points on ${network}</h1>
<p id="as-of"></p>
<p class="links"><a href="#rankings">Rankings</a> <a id="to-prices" href="#prices" hidden>Prices</a> <a href="${prefix}/config">Configuration</a> ${hasQuest ? '<a id="quest-provider" hidden></a>' : ""}</p>
</header>
<main>
<noscript><p class="notice">This page needs JavaScript; the rankings are also available <a href="${prefix}/${network}/total/null">as JSON</a>.</p></noscript>
<form id="search" role="search">
<label>Address <input type="search" name="address" placeholder="an address, or a domain" autocomplete="off" spellcheck="false" maxlength="128"></label>
<button type="submit">Search</button>
</form>
<div id="notices">
<p id="newer" class="notice" role="status" hidden>There is a newer ranking. <button type="button">Show it</button></p>
<p id="problem" class="notice" role="alert" hidden></p>
</div>
<section id="address" aria-label="Address" hidden></section>
<section id="rankings" aria-label="Rankings">
<nav class="tabs" aria-label="Ranking">
${tabs}
</nav>
<label id="season" hidden>Season <select></select></label>
<div class="scrolled" tabindex="0" role="region" aria-label="Ranking"><table id="leaderboard"><thead></thead><tbody></tbody></table></div>
<p id="none" hidden>This ranking has no addresses yet.</p>
<nav class="paging" aria-label="Pages">
<a id="previous" data-reveals="#rankings">Previous</a>
<output id="range"></output>
<a id="next" data-reveals="#rankings">Next</a>
</nav>
</section>
<section id="prices" aria-label="Prices" hidden>
<h2>Prices <span class="count"></span></h2>
<div class="scrolled" tabindex="0" role="region" aria-label="Prices in USD"><table><thead><tr><th>Token</th><th class="number">Price in USD</th><th>Published</th></tr></thead><tbody></tbody></table></div>
</section>
</main>
</body>
</html>
`;
}
