import { isTrailingStopStep } from "@proj/trading-client/wire";
import type { Instrument } from "../../instruments/instrument.ts";
import type { Account } from "../account.ts";
import { configuredCurrency } from "../conversion.ts";
import type { Desk } from "../desk.ts";
import type { Order } from "../order.ts";
import type { Position } from "../position.ts";
import { hasPrice, type Quote } from "../quote.ts";
import { RefusalError, refuse } from "../refusal.ts";

// Each of these functions returns what it is asked for or throws a RefusalError.

export function findAccount({ book }: Desk, account_id: string): Account {
  const account = book.accounts.get(account_id);
  if (account !== undefined) return account;
  for (const { accountId, accountName } of book.accounts.values()) {
    if (accountName === account_id) throw new RefusalError(refuse.accountName(accountId));
  }
  // An id with any number of leading zeros is a name.
  const named = book.accounts.get(account_id.replace(/^0+/, ""));
  if (named !== undefined) throw new RefusalError(refuse.accountName(named.accountId));
  throw new RefusalError(refuse.unknownAccount(account_id));
}

export function findInstrument(desk: Desk, symbol: string): Instrument {
  const instrument = desk.instruments.get(symbol);
  if (instrument === undefined) throw new RefusalError(refuse.unknownSymbol(symbol));
  return instrument;
}

export function findOrder({ book }: Desk, order_id: string): Order {
  const order = book.orders.get(parseId(order_id));
  if (order === undefined) throw new RefusalError(refuse.unknownOrder(order_id));
  return order;
}

export function findPosition({ book }: Desk, trade_id: string): Position {
  const position = book.positions.get(parseId(trade_id));
  if (position === undefined) throw new RefusalError(refuse.unknownTrade(trade_id));
  return position;
}

function parseId(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** The quote of an instrument that an account can deal in: it and its converting instruments have prices. */
export function findQuote(desk: Desk, { symbol }: Instrument, accountId: string): Quote {
  const quote = desk.quote(symbol);
  const { currency } = desk.account(accountId);
  const rates = [
    desk.conversionRate(symbol, currency),
    desk.moneyRate(configuredCurrency, currency),
  ];
  if (!hasPrice(quote) || rates.includes(null)) {
    throw new RefusalError(refuse.noPrice(symbol));
  }
  return quote;
}

export function checkOpen(desk: Desk, instrument: Instrument): void {
  if (desk.isOpen(instrument)) return;
  const { symbol } = instrument;
  const hasEnded = desk.priceEnds.has(symbol);
  throw new RefusalError(hasEnded ? refuse.pricesEnded(symbol) : refuse.marketClosed(symbol));
}

/** Up to here no figure computed from an amount loses a cent. */
const maxAmount = 10_000_000;

export function checkAmount({ baseUnit }: Instrument, amount: number): number {
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount > maxAmount) {
    const expected = `must be a whole number from 1 to ${maxAmount}`;
    throw new RefusalError(refuse.invalidField("amount", String(amount), expected));
  }
  if (amount % baseUnit !== 0) throw new RefusalError(refuse.amountNotDivisible(baseUnit));
  return amount;
}

/** Rates and distances beyond this lose digits. */
const maxNumber = 1e9;

/** @returns 0 if the number is absent */
export function checkNumber(name: string, value: number | undefined, min: number): number {
  if (value === undefined) return 0;
  if (!Number.isFinite(value) || value < min || Math.abs(value) > maxNumber) {
    const expected = min === 0 ? `must be from 0 to ${maxNumber}` : `must be within ${maxNumber}`;
    throw new RefusalError(refuse.invalidField(name, String(value), expected));
  }
  return value;
}

export function checkTrailingStep(step = 0): number {
  if (!isTrailingStopStep(step)) throw new RefusalError(refuse.trailingStopStep(step));
  return step;
}

export function checkChoice<Choice extends string>(
  name: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((known) => known === value);
  if (choice !== undefined) return choice;
  throw new RefusalError(refuse.invalidField(name, value, `must be one of ${choices.join(", ")}`));
}

/** Checks that the account has room for `more` orders. */
export function checkOrderCount(desk: Desk, { accountId }: Account, more: number): void {
  const { orders } = desk.limits;
  if (desk.book.countOrdersIn(accountId) + more > orders) {
    throw new RefusalError(refuse.tooMany("orders", orders));
  }
}
