import { profitText } from "./outcome.js";
import { amountText, rate as rateText, signed, wireTime } from "./words.js";

/** Waits until the market reaches its rate, as numbered on the wire. */
const waiting = 1;

/**
 * The lines of one account's positions and waiting orders of one symbol.
 * @param send `(path, fields, told)` resolves once the outcome has been said
 */
export function linesOf(positions, orders, about, send) {
  const entries = orders.filter(({ isEntryOrder, status }) => isEntryOrder && status === waiting);
  return [
    ...positions.flatMap((row) => positionLines(row, about, send)),
    ...entries.flatMap((row) => orderLines(row, about, send)),
  ];
}

function positionLines(row, about, send) {
  const { tradeId: trade_id, open, close } = row;
  const amount = amountText(row.amountK, about.offer);
  const label = `${row.isBuy ? "Bought" : "Sold"} ${amount} ${signed(row.grossPL, 2)}`;
  const own = { id: `trade ${trade_id}`, kind: "position", rate: open, label, change: null };
  const name = `the ${row.isBuy ? "bought" : "sold"} ${amount} ${row.currency}, trade ${trade_id}`;
  const path = "trading/change_trade_stop_limit";
  const stopFields = { is_stop: true, trailing_stop_step: row.stopMove };
  const terms = { ...about, row, entry: open, reference: close, name };
  return [
    own,
    ...protection("stop", terms, (rate, told) =>
      send(path, { trade_id, ...stopFields, rate }, told),
    ),
    ...protection("limit", terms, (rate, told) =>
      send(path, { trade_id, is_stop: false, rate }, told),
    ),
  ];
}

function orderLines(row, about, send) {
  const { orderId: order_id, isBuy, amountK: amount } = row;
  const { offer } = about;
  const own = isBuy ? row.buy : row.sell;
  const what = `${amountText(amount, offer)} ${row.currency}`;
  const verb = isBuy ? "Buy" : "Sell";
  const name = `the order to ${verb.toLowerCase()} ${what}, order ${order_id}`;
  const effect = (rate) => {
    const isLower = rate < (isBuy ? offer.buy : offer.sell);
    const at = rateText(rate, row.ratePrecision);
    return `${verb}s ${what} when the price ${isLower ? "falls" : "rises"} to ${at}.`;
  };
  const path = "trading/change_order_stop_limit";
  const terms = { ...about, row, entry: own, reference: own, name };
  const line = movable(`order ${order_id}`, "entry", own, terms, {
    ...{ title: verb, name: `Rate of ${name}`, effect },
    send: (rate, told) => send("trading/change_order", { order_id, rate, amount }, told),
  });
  return [
    line,
    ...protection("stop", terms, (stop, told) => send(path, { order_id, stop }, told)),
    ...protection("limit", terms, (limit, told) => send(path, { order_id, limit }, told)),
  ];
}

/** None, or the line of a stop or a limit. */
function protection(kind, terms, send) {
  const { row, entry, reference, offer, currency, name } = terms;
  const rate = row[kind];
  if (rate === 0) return [];
  const isStop = kind === "stop";
  const sign = row.isBuy ? 1 : -1;
  const what = `${amountText(row.amountK, offer)} ${row.currency}`;
  const effect = (wanted) => {
    if (sign * (wanted - reference) * (isStop ? -1 : 1) <= 0) {
      const side = row.isBuy === isStop ? "below" : "above";
      return `A ${kind} has to be ${side} ${rateText(reference, row.ratePrecision)}.`;
    }
    const profit = (sign * (wanted - entry) * row.currencyPoint) / offer.pip;
    const when = row.isEntryOrder ? "Once the order is filled, closes" : "Closes";
    const follows = isStop && row.stopMove !== 0 ? " It goes on following the price." : "";
    const about = profitText(profit, currency).replace(" of ", " of about ");
    return `${when} ${what} at this rate or ${isStop ? "worse" : "better"}, with ${about}.${follows}`;
  };
  const title = isStop ? "Stop" : "Limit";
  const id = `${row.isEntryOrder ? "order" : "trade"} ${row.orderId} ${row.tradeId ?? ""} ${kind}`;
  return [movable(id, kind, rate, terms, { title, name: `${title} of ${name}`, effect, send })];
}

function movable(id, kind, rate, { row, offer }, { title, name, effect, send }) {
  const text = (wanted) => `${title} ${rateText(wanted, row.ratePrecision)}`;
  const told = (wanted) =>
    `${name} is now ${rateText(wanted, row.ratePrecision)}. ${effect(wanted)}`;
  const change = {
    ...{ name, tick: offer.pip * offer.pipFraction, pip: offer.pip, text, effect },
    send: (wanted) => send(Number(wanted.toFixed(row.ratePrecision)), told(wanted)),
  };
  return { id, kind, rate, label: "", change };
}

/** More amounts would cover each other. */
const maxAmounts = 50;

/** The fills of open and closed positions, for the chart. */
export function fillsOf(positions, closed, offer) {
  const isShort = positions.length + closed.length > maxAmounts;
  const fill = (row, time, rate, isBuy) => {
    const text = isShort ? "" : amountText(row.amountK, offer);
    return { time: wireTime(time) / 1000, rate, isBuy, text };
  };
  return [
    ...positions.map((row) => fill(row, row.time, row.open, row.isBuy)),
    ...closed.flatMap((row) => [
      fill(row, row.openTime, row.open, row.isBuy),
      fill(row, row.closeTime, row.close, !row.isBuy),
    ]),
  ].sort((a, b) => a.time - b.time);
}
