import { Curves, colorOf } from "./curves.js";
import { time } from "./format.js";
import { MoveList } from "./moves.js";
import { askJson } from "./server.js";
import { element, gain, money, percent, reward, signed, Table } from "./tables.js";

const everyMs = 1_000;
const find = (selector) => document.querySelector(selector);
const number = find("#number");
const problem = find("#problem");
const curves = new Curves(find(".canvas"), find(".values"));
const moves = new MoveList(find(".moves"));
/** By trader: the button that chooses it. */
const buttons = new Map();

const standings = new Table(find("#ranking"), "Ranking", [
  ["Rank", ({ rank }) => String(rank), "number"],
  ["Trader", ({ trader }) => trader],
  ["Reward", (row) => (row.reward === null ? "failed" : reward(row.reward)), "number"],
  ["Return", (row) => gain(row.return), "number"],
  ["Drawdown", ({ max_drawdown }) => percent(max_drawdown), "number"],
  ["Equity", ({ equity }) => money(equity), "number"],
  ["Trades", ({ trades }) => String(trades), "number"],
  ["Steps", ({ steps }) => String(steps), "number"],
]);
const traders = new Table(find("#match"), "Traders", [
  ["Trader", ({ name }) => buttons.get(name)],
  ["Return", ({ account }) => gain(account.summary.return), "number"],
  ["Drawdown", ({ account }) => percent(account.summary.max_drawdown_share), "number"],
  ["Equity", ({ account }) => money(account.summary.equity), "number"],
  ["Trades", ({ account }) => String(account.summary.trades), "number"],
  ["Reward", (row) => reward(row.reward), "number"],
  ["State", ({ error }) => (error === null ? "in" : "out")],
]);
const trades = new Table(find(".trades"), "Trades", [
  ["Closed", ({ close_time }) => time(Date.parse(close_time) / 1000)],
  ["Symbol", ({ symbol }) => symbol],
  ["Side", ({ side }) => side],
  ["Thousands", ({ amount }) => String(amount), "number"],
  ["Open", ({ open }) => String(open), "number"],
  ["Close", ({ close }) => String(close), "number"],
  ["Pips", ({ pips }) => signed(pips), "number"],
  ["Profit", ({ net_profit }) => signed(net_profit), "number"],
]);

let overview;
/** The match whose story is shown, and the story. */
let shown = { match: 0, round: -1, story: null };

number.addEventListener("change", () => go({ match: number.value }));
addEventListener("hashchange", () => show());
follow();

/** What is shown is in the URL, so that it can be shared. */
const place = () => new URLSearchParams(location.hash.slice(1));

function go(change) {
  const asked = place();
  for (const [name, value] of Object.entries(change)) asked.set(name, value);
  location.hash = String(asked);
}

/** Follows the arena until it is over; a server that is gone may come back. */
async function follow() {
  await show();
  const isOver = overview?.standings !== null || overview.pages === null;
  if (overview === undefined || !isOver || !problem.hidden) setTimeout(follow, everyMs);
}

async function show() {
  try {
    overview = await askJson("api/arena");
    showOverview();
    const asked = Number(place().get("match"));
    const running = overview.matches.findIndex(({ is_over }) => !is_over);
    const last = running < 0 ? overview.matches.length : running + 1;
    const match = overview.matches[asked - 1] === undefined ? last : asked;
    const { is_over } = overview.matches[match - 1];
    if (shown.match !== match || !shown.isOver) {
      const story = await askJson(`api/matches/${match}`);
      shown = { match, isOver: is_over, story };
    }
    number.value = String(match);
    showStory();
    problem.hidden = true;
  } catch (error) {
    problem.textContent = `${error.message} If its program has ended, "arena view" shows the arena again.`;
    problem.hidden = false;
  }
}

function showOverview() {
  const { matches, rounds, step_minutes, model, started, pages } = overview;
  const index = matches.findIndex(({ is_over }) => !is_over);
  const where = matches.length === 1 ? "" : `match ${index + 1} of ${matches.length}, `;
  const end = overview.standings === null ? "The arena was ended early." : "The arena is over.";
  const state = index < 0 ? end : `Running: ${where}round ${matches[index].round + 1} of ${rounds}`;
  if (find("#state").textContent !== state) find("#state").textContent = state;
  find("#about").replaceChildren(
    `${model ?? "The built-in model"}, ${rounds} rounds of ${step_minutes} minutes, from `,
    time(started / 1000),
  );
  find("header .links").replaceChildren(
    ...(pages === null ? [] : [link(pages.console, "Console"), link(`${pages.points}/`, "Points")]),
  );
  number.parentElement.hidden = matches.length === 1;
  if (number.length !== matches.length)
    number.replaceChildren(...matches.map((_, at) => new Option(String(at + 1))));
  find("#ranking").hidden = overview.standings === null;
  standings.show(overview.standings ?? []);
}

function showStory() {
  const { story, match } = shown;
  const chosen = chosenIn(story);
  for (const [index, { name }] of story.traders.entries()) {
    const button = buttons.get(name) ?? addButton(name, index);
    button.ariaPressed = String(name === chosen?.name);
  }
  curves.show(
    story.traders.map(({ name, account }) => ({ name, points: pointsOf(account.equity) })),
    chosen?.name,
  );
  const returnOf = ({ account }) => account.summary.return ?? 0;
  traders.show(story.traders.toSorted((a, b) => returnOf(b) - returnOf(a)));
  find("#trader").hidden = chosen === undefined;
  if (chosen !== undefined) showTrader(chosen, match);
}

/** The one that the URL names, or the best so far. */
function chosenIn({ traders: all }) {
  const asked = place().get("trader");
  const best = (a, b) => (b.account.summary.return > a.account.summary.return ? b : a);
  return all.find(({ name }) => name === asked) ?? all.reduce(best);
}

function showTrader({ name, error, account, moves: made, left_out }, match) {
  const section = find("#trader");
  section.querySelector("h2").textContent = name;
  const { style } = overview.traders.find((trader) => trader.name === name) ?? { style: "" };
  section.querySelector(".style").textContent = style;
  const job = overview.matches[match - 1].job_id;
  const query = new URLSearchParams({ q: `job:${job} ${name}` });
  section
    .querySelector(".links")
    .replaceChildren(
      ...(overview.pages === null
        ? []
        : [link(`${overview.pages.console}#/sessions?${query}`, "Its prompts in the console")]),
    );
  const out = section.querySelector(".error");
  out.hidden = error === null;
  out.textContent = error === null ? "" : `Out: ${error}`;
  // Newest first.
  trades.show(account.trades.toReversed());
  const leftOut = section.querySelector(".left-out");
  leftOut.hidden = left_out === 0;
  leftOut.textContent = `${left_out} earlier moves are left out.`;
  moves.show(`${match} ${name}`, made);
}

/** In order, and one for each second. */
function pointsOf(equity) {
  const points = new Map(
    equity.map(({ time: at, equity: value }) => [Math.floor(Date.parse(at) / 1000), value]),
  );
  return [...points].map(([at, value]) => ({ time: at, value })).sort((a, b) => a.time - b.time);
}

function addButton(name, index) {
  const button = element("button", "");
  button.type = "button";
  const swatch = element("span", "");
  swatch.className = "swatch";
  swatch.style.borderColor = colorOf(index);
  button.append(swatch, name);
  button.addEventListener("click", () => go({ trader: name }));
  buttons.set(name, button);
  return button;
}

function link(href, text) {
  const made = element("a", text);
  made.href = href;
  return made;
}
