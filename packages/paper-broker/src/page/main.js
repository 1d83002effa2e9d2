import { CandleChart } from "./chart.js";
import { connect } from "./connection.js";
import { Mirror } from "./mirror.js";
import { money, rate, side, signed } from "./numbers.js";
import { addButton, RowList } from "./row-list.js";
import { startTicket } from "./ticket.js";

const find = (selector) => document.querySelector(selector);
const state = find("#state");
const account = find("#account");
const frame = find("#frame");

const tables = {
  Offer: { member: "offers", key: "offerId" },
  OpenPosition: { member: "open_positions", key: "tradeId" },
  Order: { member: "orders", key: "orderId" },
  Account: { member: "accounts", key: "accountId" },
};
const mirrors = Object.fromEntries(
  Object.entries(tables).map(([model, { key }]) => [model, new Mirror(key, showSoon)]),
);
let chart;
let connection;
let selected = "";
let isDrawing = false;

startLogin();
for (const name of CandleChart.frames) frame.append(new Option(name));
frame.addEventListener("change", showChart);
account.addEventListener("change", showSoon);
startTicket(find("#ticket"), ([path, fields]) =>
  send(path, { ...fields, account_id: account.value, symbol: selected }),
);

const offers = new RowList(
  find("#instruments tbody"),
  ({ currency, sell, buy, spread, ratePrecision }) => [
    currency,
    rate(sell, ratePrecision),
    rate(buy, ratePrecision),
    spread.toFixed(1),
  ],
  (element, { currency }) => {
    element.dataset.symbol = currency;
    element.tabIndex = 0;
    element.addEventListener("click", () => select(currency));
    element.addEventListener("keydown", ({ key }) => key === "Enter" && select(currency));
  },
);
const positions = new RowList(
  find("#positions tbody"),
  (row) => [
    row.tradeId,
    row.currency,
    side(row.isBuy),
    String(row.amountK),
    ...[row.open, row.close, row.stop, row.limit].map((value) => rate(value, row.ratePrecision)),
    signed(row.visiblePL, 1),
    signed(row.grossPL, 2),
  ],
  (element, { tradeId: trade_id }) =>
    addButton(element, "Close", `Close trade ${trade_id}`, () =>
      send("trading/close_trade", { trade_id, order_type: "AtMarket", time_in_force: "GTC" }),
    ),
);
const orders = new RowList(
  find("#orders tbody"),
  (row) => [
    row.orderId,
    row.currency,
    side(row.isBuy),
    row.type,
    String(row.amountK),
    ...[row.isBuy ? row.buy : row.sell, row.stop, row.limit].map((value) =>
      rate(value, row.ratePrecision),
    ),
  ],
  (element, { orderId: order_id }) =>
    addButton(element, "Delete", `Delete order ${order_id}`, () =>
      send("trading/delete_order", { order_id }),
    ),
);

/** The address may bring the token behind its #, which no server sees; it does not stay there. */
function startLogin() {
  const form = find("#login");
  const brought = new URLSearchParams(location.hash.slice(1)).get("token");
  if (brought !== null) history.replaceState(null, "", location.pathname);
  const token = brought ?? sessionStorage.getItem("token");
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
      find("main").hidden = false;
      chart ??= new CandleChart(find("#chart .canvas"));
      renew().catch((error) => {
        state.textContent = error.message;
      });
    },
    closed: () => {
      state.textContent = "the connection is gone, trying again …";
    },
    refused: () => {
      sessionStorage.removeItem("token");
      login.hidden = false;
      state.textContent = "The server does not accept this token, or no more connections";
    },
  });
  for (const [model, mirror] of Object.entries(mirrors)) {
    connection.on(model, (change) => mirror.change(change));
  }
}

/** Subscriptions end with a connection; what changed meanwhile is in the snapshot. */
async function renew() {
  const models = Object.keys(tables).map((model) => ["models", model]);
  for (const mirror of Object.values(mirrors)) mirror.awaitSnapshot();
  await connection.post("trading/subscribe", models);
  const answer = await connection.get("trading/get_model", models);
  for (const [model, { member }] of Object.entries(tables)) mirrors[model].replace(answer[member]);
  const symbols = [...mirrors.Offer.rows.values()].map(({ currency }) => currency);
  followPrices(symbols);
  await connection.post(
    "subscribe",
    symbols.map((symbol) => ["pairs", symbol]),
  );
  state.textContent = "connected";
  await select(symbols.includes(selected) ? selected : (symbols[0] ?? ""));
}

const followed = new Set();

function followPrices(symbols) {
  for (const symbol of symbols) {
    if (followed.has(symbol)) continue;
    followed.add(symbol);
    connection.on(symbol, (price) => symbol === selected && chart.addPrice(price));
  }
}

async function select(symbol) {
  selected = symbol;
  find("#symbol").textContent = symbol;
  showSoon();
  await showChart();
}

async function showChart() {
  chart.clear();
  const offer = [...mirrors.Offer.rows.values()].find(({ currency }) => currency === selected);
  if (offer === undefined) return;
  await chart.show(connection, offer, frame.value);
  find("#chart").dataset.candles = chart.length;
}

/** @returns what came of it, for a person */
async function send(path, fields) {
  const said = find("#ticket output");
  try {
    const { data } = await connection.post(path, fields);
    const text = data?.orderId === undefined ? "Done" : `Order ${data.orderId}`;
    said.textContent = text;
    return text;
  } catch (error) {
    said.textContent = error.message;
    return error.message;
  }
}

/** At most once in what the screen shows, however many changes come. */
function showSoon() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    show();
  });
}

function show() {
  const { Offer, OpenPosition, Order, Account } = mirrors;
  for (const id of Account.rows.keys()) {
    if (![...account.options].some(({ value }) => value === id)) account.append(new Option(id));
  }
  const ofAccount = (rows) =>
    new Map([...rows].filter(([, { accountId }]) => accountId === account.value));
  offers.show(Offer.rows);
  positions.show(ofAccount(OpenPosition.rows));
  orders.show(ofAccount(Order.rows));
  for (const row of find("#instruments tbody").rows) {
    row.ariaSelected = String(row.dataset.symbol === selected);
  }
  showFigures(Account.rows.get(account.value));
}

function showFigures(row) {
  if (row === undefined) return;
  const figures = {
    Balance: row.balance,
    Equity: row.equity,
    "Open profit": row.grossPL,
    "Used margin": row.usdMr,
    "Usable margin": row.usableMargin,
  };
  const place = find("#figures");
  for (const [name, value] of Object.entries(figures)) {
    let item = place.querySelector(`[data-name="${name}"]`);
    if (item === null) {
      item = document.createElement("div");
      item.dataset.name = name;
      item.append(document.createElement("dt"), document.createElement("dd"));
      item.firstChild.textContent = name;
      place.append(item);
    }
    item.lastChild.textContent = money(value);
  }
}
