import { askPoints, askRanking } from "./ask.js";
import { scaled, whole } from "./format.js";
import { changeOf, chartOf } from "./history.js";
import { pageSize } from "./leaderboard.js";
import { copyButton } from "./short-address.js";
import { linkTo } from "./view.js";

/** Shows one address: its place in each ranking, its quest, its content points. */
export async function showAddress(place, { address, season }, rankings, decimals, isCurrent) {
  if (address === "") {
    place.hidden = true;
    return;
  }
  const segment = encodeURIComponent(address);
  const [quest, content, history, ...answers] = await Promise.all([
    askPoints(`quest/address/${segment}`),
    askPoints(`content-program/${segment}`),
    askPoints(`history/${segment}`),
    ...Object.keys(rankings).map((ranking) =>
      askRanking({ ranking, season }, address, { size: 0 }),
    ),
  ]);
  if (!isCurrent()) return;
  const heading = element("h2", address);
  heading.append(copyButton(address));
  const isKnown = [...answers.map(({ user }) => user), ...history, ...content].some(Boolean);
  if (!isKnown) {
    const words = "Not found: this address is not in any ranking and has no content points.";
    place.replaceChildren(heading, element("p", words));
    place.hidden = false;
    return;
  }
  const facts = document.createElement("dl");
  const domain = answers.map(({ user }) => user?.domain).find(Boolean);
  if (domain !== undefined) facts.append(fact("Domain", domain));
  for (const [index, [ranking, { label }]] of Object.entries(rankings).entries())
    facts.append(standing(label, answers[index], decimals, ranking));
  if (document.querySelector("#quest-provider") !== null) {
    const state = quest.completed ? "completed" : "not completed yet";
    facts.append(fact("Quest", `${state}, ${scaled(quest.totalPoints, decimals)} points`));
  }
  const sum = content.reduce((total, { points }) => total + points, 0);
  if (content.length > 0) facts.append(fact("Content", `${whole(sum)} points`));
  if (history.length > 1) facts.append(fact("Change", ...changeOf(history, decimals)));
  place.replaceChildren(heading, facts);
  if (history.length > 1) place.append(chartOf(history, decimals));
  place.hidden = false;
}

function standing(label, { user, userOffset, totalItems }, decimals, ranking) {
  if (user === null) return fact(label, "not in this ranking");
  const link = document.createElement("a");
  const offset = Math.floor(userOffset / pageSize) * pageSize;
  link.href = linkTo({ ranking, offset });
  link.dataset.reveals = ".searched";
  link.textContent = `${whole(user.rank)} of ${whole(totalItems)}`;
  const words = `, ${scaled(user.points, decimals)} points (${scaled(user.last24hPoints, decimals)} in 24 hours)`;
  return fact(label, link, words);
}

function fact(name, ...values) {
  const made = document.createElement("div");
  const value = document.createElement("dd");
  value.append(...values);
  made.append(element("dt", name), value);
  return made;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
