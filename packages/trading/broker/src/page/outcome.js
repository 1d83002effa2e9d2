import { amountText, money, rate } from "./words.js";

/** Orders that are remembered: an order may end before the answer to its request arrives. */
const maxOrders = 500;
const waitMs = 15_000;
/** Waits until the market reaches its rate, as numbered on the wire. */
const waiting = 1;

/** What becomes of orders, heard from the pushes of their table. */
export class Outcomes {
  #rows = new Map();
  #listeners = new Map();

  hear({ action, ...fields }) {
    const { orderId } = fields;
    const row = { ...this.#rows.get(orderId), ...fields, hasEnded: action === "D" };
    this.#rows.delete(orderId);
    this.#rows.set(orderId, row);
    if (this.#rows.size > maxOrders) this.#rows.delete(this.#rows.keys().next().value);
    if (isSettled(row)) this.#listeners.get(orderId)?.();
  }

  /** The order's row once it has ended or waits for its rate; after 15 seconds, what is known of it, which may be undefined. */
  async settled(orderId) {
    const { promise, resolve } = Promise.withResolvers();
    this.#listeners.set(orderId, resolve);
    const timer = setTimeout(resolve, waitMs);
    const known = this.#rows.get(orderId);
    if (known !== undefined && isSettled(known)) resolve();
    await promise;
    clearTimeout(timer);
    this.#listeners.delete(orderId);
    return this.#rows.get(orderId);
  }
}

const isSettled = ({ hasEnded, isEntryOrder, status }) =>
  hasEnded || (isEntryOrder && status === waiting);

/**
 * What became of an order, as a sentence.
 * @param closed the account's transactions of the order that closed trades
 */
export function outcomeText(row, closed, offer, currency) {
  const { isBuy, amountK, filledK = 0, fillRate = 0, ratePrecision, hasEnded } = row;
  const [did, deed] = isBuy ? ["Bought", "buy"] : ["Sold", "sell"];
  const what = `${amountText(amountK, offer)} ${row.currency}`;
  if (!hasEnded && row.isEntryOrder)
    return `Placed an order to ${deed} ${what} at ${rate(isBuy ? row.buy : row.sell, ratePrecision)}.`;
  if (!hasEnded) return `The order to ${deed} ${what} waits to be filled.`;
  if (filledK === 0) return `The order to ${deed} ${what} was cancelled: nothing was filled.`;
  const isWhole = filledK >= amountK;
  const filled = isWhole ? what : `${amountText(filledK, offer)} of ${what}`;
  const profit = closed.reduce((sum, { grossPL }) => sum + grossPL, 0);
  const verb = closed.length > 0 && row.type.startsWith("C") ? `Closed: ${did.toLowerCase()}` : did;
  return [
    `${verb} ${filled} at ${rate(fillRate, ratePrecision)}`,
    ...(closed.length === 0 ? [] : [`, with ${profitText(profit, currency)}`]),
    isWhole ? "." : "; the rest was cancelled.",
  ].join("");
}

/** Such as "a profit of 24.80 USD". */
export const profitText = (amount, currency) =>
  `a ${amount < 0 ? "loss" : "profit"} of ${money(Math.abs(amount))} ${currency}`;
