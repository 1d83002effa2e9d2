import { showAddress } from "./address.js";
import { askPoints, pin, pinnedSnapshot } from "./ask.js";
import { time, whole } from "./format.js";
import { showLeaderboard } from "./leaderboard.js";
import { showPrices } from "./prices.js";

const problem = document.querySelector("#problem");
const form = document.querySelector("#search");
const newer = document.querySelector("#newer");
/** Numbers the views, so that an answer for an earlier view is recognised. */
let views = 0;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  tell(search(form.elements.address.value.trim()));
});
newer.querySelector("button").addEventListener("click", showNewest);
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='?']");
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
addEventListener("popstate", show);
show();
tell(showPrices(document.querySelector("#prices")));
tell(showQuest(document.querySelector("#quest-provider")));

/** The state of the page is in its URL, so that it can be shared. */
function view() {
  const asked = new URLSearchParams(location.search);
  const ranking = asked.get("ranking");
  const offset = Number(asked.get("offset"));
  return {
    ranking: ["total", "lp", "swaps"].includes(ranking) ? ranking : "total",
    address: asked.get("address") ?? "",
    offset: Number.isSafeInteger(offset) && offset >= 0 ? offset : 0,
  };
}

function linkTo(change) {
  const { ranking, address, offset } = { ...view(), ...change };
  const query = new URLSearchParams({ ranking });
  if (address !== "") query.set("address", address);
  if (offset > 0) query.set("offset", offset);
  return `?${query}`;
}

function go(link) {
  history.pushState(null, "", link);
  show();
}

function show() {
  views += 1;
  const shown = views;
  const asked = view();
  form.elements.address.value = asked.address;
  problem.hidden = true;
  for (const tab of document.querySelectorAll(".tabs a")) {
    tab.href = linkTo({ ranking: tab.dataset.ranking, offset: 0 });
    if (tab.dataset.ranking === asked.ranking) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  const isCurrent = () => shown === views;
  tell(fill(asked, isCurrent), isCurrent);
}

async function fill(asked, isCurrent) {
  const config = await askPoints("config");
  if (!isCurrent()) return;
  if (pinnedSnapshot() === null && config.lastSnapTimestamp === 0) showNothing(config);
  const place = document.querySelector("#address");
  const links = { linkTo, isCurrent };
  const [leaderboard, address] = await Promise.allSettled([
    showLeaderboard(asked, config.pointsDecimal, links),
    showAddress(place, asked, config.pointsDecimal, links),
  ]);
  if (!isCurrent()) return;
  if (leaderboard.status === "fulfilled" && leaderboard.value !== null) {
    pin(leaderboard.value.snapshot);
    showTime(leaderboard.value.time, config);
  }
  if (address.status === "rejected") place.hidden = true;
  const failed = [address, leaderboard].find(({ status }) => status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** A name with a dot may be a domain; a domain without an owner is searched for as an address. */
async function search(text) {
  const owner = text.includes(".")
    ? await askPoints(`domain/${encodeURIComponent(text)}`).catch(() => null)
    : null;
  go(linkTo({ address: owner?.address ?? text }));
}

let following = null;

/** Shows the ranking's time and when the next one is due, and checks for it then. */
function showTime(shownTime, { refreshTime }) {
  const place = document.querySelector("#as-of");
  const next = document.createElement("span");
  place.replaceChildren(
    "As of ",
    time(shownTime),
    `, recomputed every ${whole(refreshTime)} seconds`,
    next,
  );
  clearInterval(following);
  following = setInterval(() => {
    const left = shownTime + refreshTime - Math.floor(Date.now() / 1000);
    next.textContent = left > 0 ? `; next in ${whole(left)} s` : "; the next one is due";
    // Pages must not all ask at the same moment, nor too often while it is late.
    if (left <= 0 && left % 5 === 0) look(shownTime).catch(() => {});
  }, 1_000);
}

/** The first page updates by itself; a reader who has turned pages is asked. */
async function look(shownTime) {
  const { lastSnapTimestamp } = await askPoints("config", { cache: "no-cache" });
  if (lastSnapTimestamp <= shownTime) return;
  if (view().offset === 0) showNewest();
  else newer.hidden = false;
}

function showNewest() {
  newer.hidden = true;
  pin(null);
  show();
}

function showNothing({ refreshTime }) {
  const every = `it is computed every ${whole(refreshTime)} seconds`;
  document.querySelector("#as-of").textContent = `There is no ranking yet; ${every}`;
  clearInterval(following);
  following = setInterval(() => look(0).catch(() => {}), 2_000);
}

async function showQuest(link) {
  const { questProvider, questProviderUrl } = await askPoints("quest/description");
  link.href = questProviderUrl;
  link.textContent = `Quest by ${questProvider}`;
  link.hidden = false;
}

/** Shows an error on the page. */
function tell(work, isCurrent = () => true) {
  work.catch(({ message }) => {
    if (!isCurrent()) return;
    problem.textContent = message;
    problem.hidden = false;
  });
}
