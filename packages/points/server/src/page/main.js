import { showAddress } from "./address.js";
import { askPoints, pin, pinnedSnapshot } from "./ask.js";
import { awaitFirst, follow } from "./following.js";
import { showLeaderboard } from "./leaderboard.js";
import { showPrices } from "./prices.js";
import { serverTime } from "./server-time.js";
import { shownRankings, showTabs } from "./shown-rankings.js";
import { linkTo, view } from "./view.js";

const problem = document.querySelector("#problem");
const form = document.querySelector("#search");
const newer = document.querySelector("#newer");
const retryMs = 3_000;
/** Numbers the views, so that an answer for an earlier view is recognised. */
let views = 0;
/** The newest snapshot that was seen, and its season. */
let newest = { season: "", snapshot: null };

form.addEventListener("submit", (event) => {
  event.preventDefault();
  tell(search(form.elements.address.value.trim()));
});
newer.querySelector("button").addEventListener("click", showNewest);
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='?']");
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute("href"), link.dataset.reveals);
});
addEventListener("popstate", () => show());
show();
showRest();

/** @param reveals a selector of what the reader wants to see, for `reveal` */
function go(link, reveals) {
  history.pushState(null, "", link);
  show({ reveals });
}

/** @param isRetry the view has failed, and the problem is shown until it succeeds */
function show({ reveals, isRetry = false } = {}) {
  views += 1;
  const shown = views;
  const asked = view();
  form.elements.address.value = asked.address;
  if (!isRetry) problem.hidden = true;
  if (newest.season !== asked.season) newer.hidden = true;
  for (const tab of document.querySelectorAll(".tabs a"))
    tab.href = linkTo({ ranking: tab.dataset.ranking, offset: 0 });
  const isCurrent = () => shown === views;
  const filled = fill(asked, isCurrent).then(() => {
    if (!isCurrent()) return;
    if (reveals !== undefined) reveal(reveals);
    if (!isRetry) return;
    problem.hidden = true;
    showRest();
  });
  tell(filled, isCurrent, () => {
    setTimeout(() => isCurrent() && show({ reveals, isRetry: true }), retryMs);
  });
}

async function fill(asked, isCurrent) {
  const [config, seasons] = await Promise.all([
    // Not from the cache, because its answer also says what time it is at the server.
    askPoints("config", { cache: "no-cache" }),
    askPoints("seasons"),
  ]);
  if (!isCurrent()) return;
  if (pinnedSnapshot("") === null && config.lastSnapTimestamp === 0) {
    awaitFirst(config, show);
    return;
  }
  offerSeasons(document.querySelector("#season"), seasons, asked.season, (season) =>
    go(linkTo({ season, offset: 0 })),
  );
  const shown = await shownRankings(config, asked.season);
  if (!isCurrent()) return;
  const ranking = shown[asked.ranking] === undefined ? "total" : asked.ranking;
  showTabs(document.querySelector(".tabs"), shown, ranking);
  const place = document.querySelector("#address");
  const [leaderboard, address] = await Promise.allSettled([
    showLeaderboard({ ...asked, ranking }, shown[ranking], config.pointsDecimal, isCurrent),
    showAddress(place, asked, shown, config.pointsDecimal, isCurrent),
  ]);
  if (!isCurrent()) return;
  if (leaderboard.status === "fulfilled" && leaderboard.value !== null) {
    pin(asked.season, leaderboard.value.snapshot);
    const season = seasons.find(({ name }) => name === asked.season);
    follow(leaderboard.value.time, season, config, (snapshot) => {
      newest = { season: asked.season, snapshot };
      onNewer();
    });
  }
  if (address.status === "rejected") place.hidden = true;
  const failed = [address, leaderboard].find(({ status }) => status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Scrolls to the first element of this kind, unless its beginning is visible. */
function reveal(selector) {
  const found = document.querySelector(selector);
  if (found === null) return;
  const { top } = found.getBoundingClientRect();
  if (top < 0 || top > innerHeight * 0.9) found.scrollIntoView();
}

/** A name with a dot may be a domain; a domain without an owner is searched for as an address. */
async function search(text) {
  const owner = text.includes(".")
    ? await askPoints(`domain/${encodeURIComponent(text)}`).catch(() => null)
    : null;
  go(linkTo({ address: owner?.address ?? text }));
}

/** The first page updates by itself; a reader who has turned pages is asked. */
function onNewer() {
  if (view().offset === 0) showNewest();
  else newer.hidden = false;
  tell(showPrices(document.querySelector("#prices"), document.querySelector("#to-prices")));
}

function showNewest() {
  newer.hidden = true;
  pin(newest.season, newest.snapshot);
  show();
}

/** What does not depend on the view. */
function showRest() {
  tell(showPrices(document.querySelector("#prices"), document.querySelector("#to-prices")));
  const quest = document.querySelector("#quest-provider");
  if (quest !== null) tell(showQuest(quest));
}

async function showQuest(link) {
  const { questProvider, questProviderUrl } = await askPoints("quest/description");
  link.href = questProviderUrl;
  link.textContent = `Quest by ${questProvider}`;
  link.hidden = false;
}

/**
 * Shows an error on the page.
 * @param again is called after an error that may pass by itself; null: nothing is tried again
 */
function tell(work, isCurrent = () => true, again = null) {
  work.catch((error) => {
    if (!isCurrent()) return;
    const mayPass = error.status >= 500 || document.documentElement.dataset.server === "gone";
    const isRepeated = mayPass && again !== null;
    problem.textContent = isRepeated ? `${error.message} Trying again …` : error.message;
    problem.hidden = false;
    if (isRepeated) again();
  });
}

/**
 * Offers the rankings of the seasons that have begun, next to the all-time ranking.
 * @param onChange gets the name of the chosen season; empty: all time
 */
function offerSeasons(place, seasons, shown, onChange) {
  const now = serverTime();
  const begun = seasons.filter(({ startTimestamp }) => Number(startTimestamp) <= now);
  const options = [["", "All time"], ...begun.map(({ name }) => [name, name])];
  const select = place.querySelector("select");
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
  select.value = shown;
  select.onchange = () => onChange(select.value);
  place.hidden = begun.length === 0;
}
