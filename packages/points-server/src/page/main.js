import { showAddress } from "./address.js";
import { askPoints } from "./ask.js";
import { showLeaderboard } from "./leaderboard.js";
import { time, whole } from "./numbers.js";
import { showPrices } from "./prices.js";

const problem = document.querySelector("#problem");
const form = document.querySelector("#search");
/** By their number an answer is known that comes when the reader has gone on. */
let views = 0;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  go(linkTo({ address: form.elements.address.value.trim() }));
});
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

/** What is looked at stands in the page's address, so that it can be passed on. */
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
  showTime(config);
  const place = document.querySelector("#address");
  const links = { linkTo, isCurrent };
  const [leaderboard, address] = await Promise.allSettled([
    showLeaderboard(asked, config.pointsDecimal, links),
    showAddress(place, asked, config.pointsDecimal, links),
  ]);
  if (address.status === "rejected" && isCurrent()) place.hidden = true;
  const failed = [address, leaderboard].find(({ status }) => status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

function showTime({ lastSnapTimestamp, refreshTime }) {
  const place = document.querySelector("#as-of");
  const every = `, counted anew every ${whole(refreshTime)} seconds`;
  if (lastSnapTimestamp === 0) place.textContent = "Nothing has been counted yet";
  else place.replaceChildren("As of ", time(lastSnapTimestamp));
  place.append(every);
}

async function showQuest(link) {
  const { questProvider, questProviderUrl } = await askPoints("quest/description");
  link.href = questProviderUrl;
  link.textContent = `Quest by ${questProvider}`;
  link.hidden = false;
}

/** An error is told where it can be seen. */
function tell(work, isCurrent = () => true) {
  work.catch(({ message }) => {
    if (!isCurrent()) return;
    problem.textContent = message;
    problem.hidden = false;
  });
}
