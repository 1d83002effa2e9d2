import { decimal, whole } from "./format.js";

export const money = (amount) => decimal(amount, 2);

/** In units, such as 10,000 for an amount of 10 of a currency. @param offer of the symbol */
export const amountText = (amountK, { contractSize = 1000 } = {}) => whole(amountK * contractSize);

export const signed = (amount, digits) => `${amount > 0 ? "+" : ""}${amount.toFixed(digits)}`;

/** A formatted rate; empty for none. */
export const rate = (value, precision) => (value === 0 ? "" : value.toFixed(precision));

export const side = (isBuy) => (isBuy ? "buy" : "sell");

/** What became of an order that was deleted. */
export const deleted = ({ orderId, type, isBuy, currency }) =>
  `Deleted order ${orderId}: ${orderType(type).toLowerCase()}, ${side(isBuy)} ${currency}.`;

const types = {
  ...{ S: "Stop", ST: "Trailing stop", L: "Limit" },
  ...{
    SE: "Stop entry",
    LE: "Limit entry",
    STE: "Trailing stop entry",
    LTE: "Trailing limit entry",
  },
  ...{ O: "Open", OM: "Open at market", OR: "Open within range" },
  ...{ C: "Close", CM: "Close at market", CR: "Close within range", M: "Margin call" },
};

export const orderType = (type) => types[type] ?? type;

export const trailing = (step) => (step === 0 ? "" : step === 1 ? "dynamic" : `${step} pips`);

const restrictions = {
  W: "The account’s margin is nearly used up: it cannot open positions.",
  Y: "The account had a margin call: it cannot open positions until the trading day ends.",
  Q: "The account reached its equity stop: it cannot open positions until the trading day ends.",
};

/** Why an account cannot open positions; empty if it can. */
export const restriction = (state) => restrictions[state] ?? "";

export const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const shortTime = new Intl.DateTimeFormat(undefined, {
  ...{ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" },
});

/** Parses a wire time, MMddyyyyHHmmss in UTC, to milliseconds; NaN: none. */
export function wireTime(text) {
  const [, month, day, year, hour, minute, second] =
    /^(\d\d)(\d\d)(\d{4})(\d\d)(\d\d)(\d\d)/.exec(text) ?? [];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Formats a wire time in the reader's zone; empty: none. */
export function localTime(text) {
  const time = wireTime(text);
  return Number.isNaN(time) ? "" : shortTime.format(time);
}
