import type { Account } from "../engine/account.ts";
import type { BookContent, Counters } from "../engine/book.ts";
import type { ClosedPosition } from "../engine/position.ts";
import { createQuote } from "../engine/quote.ts";
import type { Instrument } from "../instruments/instrument.ts";
import type { SavedMarket } from "./market-state.ts";
import { StateError } from "./state-error.ts";

/**
 * The book of the configured accounts and instruments, restored from the stored state.
 * @param firstCounters for a new market
 * @throws StateError an account or instrument with open orders or positions is no longer configured, or an
 * account's currency has changed
 */
export function restoreBook(
  accounts: readonly Account[],
  instruments: readonly Instrument[],
  saved: SavedMarket | null,
  closedPositions: readonly ClosedPosition[],
  firstCounters: Counters,
): BookContent {
  const quotes = instruments.map(({ symbol }) => createQuote(symbol));
  if (saved === null) {
    const nothing = { orders: [], positions: [], closedPositions: [] };
    return { accounts, quotes, ...nothing, counters: firstCounters };
  }
  checkCurrencies(accounts, saved);
  const known = new Map(saved.accounts.map((account) => [account.accountId, account]));
  const savedQuotes = new Map(saved.quotes.map((quote) => [quote.symbol, quote]));
  const content: BookContent = {
    accounts: accounts.map((account) => ({ ...account, ...known.get(account.accountId) })),
    quotes: quotes.map((quote) => savedQuotes.get(quote.symbol) ?? quote),
    orders: saved.orders,
    positions: saved.positions.map((position) => ({
      ...position,
      close: 0,
      grossPL: 0,
      maintenanceMargin: 0,
      entryMargin: 0,
      liquidationMargin: 0,
    })),
    closedPositions: [],
    counters: saved.counters,
  };
  const accountIds = new Set(accounts.map(({ accountId }) => accountId));
  const symbols = new Set(instruments.map(({ symbol }) => symbol));
  const isConfigured = (row: { readonly accountId: string; readonly symbol: string }) =>
    accountIds.has(row.accountId) && symbols.has(row.symbol);
  const lost = [...content.orders, ...content.positions].find((row) => !isConfigured(row));
  if (lost !== undefined) {
    throw new StateError(
      `The state has an order or a position of the account ${lost.accountId} in ${lost.symbol}: keep both configured, or use another state file`,
    );
  }
  return { ...content, closedPositions: closedPositions.filter(isConfigured) };
}

function checkCurrencies(accounts: readonly Account[], saved: SavedMarket): void {
  for (const { accountId, currency } of saved.accounts) {
    const configured = accounts.find((account) => account.accountId === accountId);
    if (configured === undefined || configured.currency === currency) continue;
    throw new StateError(
      `The state has the account ${accountId} in ${currency}, not in ${configured.currency}: keep its currency, or use another state file`,
    );
  }
}
