import { ChartSection } from "./chart-section.js";
import { connect } from "./connection.js";
import { showFigures } from "./figures.js";
import { closedList, instrumentList, orderList, positionList } from "./lists.js";
import { Mirror } from "./mirror.js";
import { Outcomes } from "./outcome.js";
import { Report } from "./report.js";
import { Sender } from "./sender.js";
import { Ticket } from "./ticket.js";
import { wireTime } from "./words.js";

const find = (selector) => document.querySelector(selector);
const state = find("#state");
const account = find("#account");

const tables = {
  Offer: { member: "offers", key: "offerId" },
  OpenPosition: { member: "open_positions", key: "tradeId" },
  ClosedPosition: { member: "closed_positions", key: "tradeId" },
  Order: { member: "orders", key: "orderId" },
  Account: { member: "accounts", key: "accountId" },
  Properties: { member: "properties", key: "name" },
};
const mirrors = Object.fromEntries(
  Object.entries(tables).map(([model, { key }]) => [model, new Mirror(key, showSoon)]),
);
let connection;
let isConnected = false;
let selected = "";
let isDrawing = false;

const outcomes = new Outcomes();
const sender = new Sender(
  () => connection,
  outcomes,
  (row) => ({
    offer: offerOf(row.currency),
    currency: currencyOf(row),
  }),
);
const send = (path, fields, told) => sender.send(path, fields, told);
const chart = new ChartSection(find("#chart"), send, showChart);
const ticket = new Ticket(find("#ticket"), (path, fields) =>
  send(path, { ...fields, account_id: account.value, symbol: selected }),
);
const tradeOf = (tradeId) => mirrors.OpenPosition.rows.get(tradeId);
const instruments = instrumentList(find("#instruments"), select);
const positions = positionList(find("#positions"), tradeOf, send);
const orders = orderList(
  find("#orders"),
  (orderId) => mirrors.Order.rows.get(orderId),
  tradeOf,
  send,
);
const closed = closedList(find("#closed"));
const marketTime = () =>
  Math.max(0, ...[...mirrors.Offer.rows.values()].map(({ time }) => wireTime(time) || 0));
const report = new Report(find("#report"), (query) => connection.report(query), marketTime);

account.addEventListener("change", showChart);
find("#ticket").addEventListener("input", showSoon);
find("#edit").addEventListener("close", () => {
  document.body.append(find("#said"));
  find("#edit").replaceChildren();
});
startLogin();

/** Takes a token from the URL's fragment, which servers do not see, and removes it there. */
function startLogin() {
  const form = find("#login");
  const fromAddress = new URLSearchParams(location.hash.slice(1)).get("token");
  if (fromAddress !== null) history.replaceState(null, "", location.pathname);
  const token = fromAddress ?? sessionStorage.getItem("token");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    open(form.elements.token.value.trim());
  });
  if (token === null) form.hidden = false;
  else open(token);
}

function open(token) {
  const login = find("#login");
  login.hidden = true;
  state.textContent = "connecting …";
  connection = connect(token, {
    opened: () => {
      sessionStorage.setItem("token", token);
      find("#desk").hidden = false;
      account.closest("label").hidden = false;
      chart.open(connection);
      renew().catch((error) => {
        state.textContent = error.message;
      });
    },
    closed: (why = "connection lost") => {
      isConnected = false;
      state.textContent = `${why}, trying again …`;
      showSoon();
    },
    refused: () => {
      sessionStorage.removeItem("token");
      login.hidden = false;
      state.textContent = "The server does not accept this token";
    },
  });
  for (const [model, mirror] of Object.entries(mirrors)) {
    connection.on(model, (change) => mirror.change(change));
  }
  connection.on("Order", (change) => outcomes.hear(change));
}

/** Subscriptions end with a connection; the snapshot has the changes in between. */
async function renew() {
  const models = Object.keys(tables).map((model) => ["models", model]);
  for (const mirror of Object.values(mirrors)) mirror.awaitSnapshot();
  await connection.post("trading/subscribe", models);
  const answer = await connection.get("trading/get_model", models);
  for (const [model, { member }] of Object.entries(tables)) mirrors[model].replace(answer[member]);
  const symbols = [...mirrors.Offer.rows.values()].map(({ currency }) => currency);
  chart.followPrices(symbols);
  await connection.post(
    "subscribe",
    symbols.map((symbol) => ["pairs", symbol]),
  );
  isConnected = true;
  state.textContent = "connected";
  await select(symbols.includes(selected) ? selected : (symbols[0] ?? ""));
}

async function select(symbol) {
  selected = symbol;
  await showChart();
}

const offerOf = (symbol) =>
  [...mirrors.Offer.rows.values()].find(({ currency }) => currency === symbol);

async function showChart() {
  showSoon();
  await chart.show(selected, offerOf(selected), account.value);
  showSoon();
}

/** On a netting account, an order first closes the opposite trades of its symbol. */
function closableIn({ accountName, hedging }, isBuy) {
  if (hedging === "Y") return 0;
  let amount = 0;
  for (const row of mirrors.OpenPosition.rows.values())
    if (row.accountName === accountName && row.currency === selected && row.isBuy !== isBuy)
      amount += row.amountK;
  return amount;
}

/** Redraws at most once per frame, however many changes arrive. */
function showSoon() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    show();
  });
}

/** Of an account's money: a property for it or for all accounts. */
function currencyOf({ accountId } = {}) {
  const { rows } = mirrors.Properties;
  const row = rows.get(`account_currency_${accountId}`) ?? rows.get("account_currency");
  return row?.value ?? "USD";
}

function show() {
  const { Offer, OpenPosition, ClosedPosition, Order, Account } = mirrors;
  const known = new Set([...account.options].map(({ value }) => value));
  for (const id of Account.rows.keys())
    if (!known.has(id)) account.append(new Option(accountLabel(id), id));
  const own = Account.rows.get(account.value);
  const ofAccount = (rows) =>
    new Map([...rows].filter(([, { accountName }]) => accountName === own?.accountName));
  const offers = [...Offer.rows.values()].sort((a, b) => a.defaultSortOrder - b.defaultSortOrder);
  const [open, ended, waiting] = [OpenPosition, ClosedPosition, Order].map(({ rows }) =>
    ofAccount(rows),
  );
  instruments.show(new Map(offers.map((offer) => [offer.currency, offer])));
  positions.show(open, isConnected);
  orders.show(waiting, isConnected);
  // Newest first.
  closed.show(new Map([...ended].reverse()));
  for (const [symbol, row] of instruments.elements)
    row.ariaCurrent = symbol === selected ? "true" : null;
  for (const button of document.querySelectorAll("#edit form button"))
    button.disabled = !isConnected;
  const closable = (isBuy) => (own === undefined ? 0 : closableIn(own, isBuy));
  const offer = offerOf(selected);
  ticket.show({ offer, account: own, closable, isConnected });
  showFigures(find("#figures"), own, currencyOf(own));
  if (own === undefined) return;
  chart.showMarks({ open, ended, waiting }, { offer, currency: currencyOf(own) }, isConnected);
  const minute = Math.floor(marketTime() / 60_000);
  report.follow(own.accountId, `${ended.size} ${[...ended.keys()].at(-1)} ${minute}`);
}

/** A property may name an account. */
function accountLabel(id) {
  const name = mirrors.Properties.rows.get(`account_label_${id}`)?.value;
  return name === undefined ? id : `${name} (${id})`;
}
