import { InvalidRequestError } from "../errors/invalid-request-error.ts";
import { type FormFields, isSymbol, isTrailingStopStep } from "../wire/index.ts";
import type { KnownAccounts } from "./known-accounts.ts";

/**
 * Refuses requests that the server would refuse or, worse, misread.
 * @throws InvalidRequestError
 */
export function checkRequest(fields: FormFields, accounts: KnownAccounts): void {
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new InvalidRequestError(field, `${field} is ${value}: it must be a finite number`);
    }
    if (field === "symbol") checkSymbol(String(value));
    if (field === "account_id") accounts.check(String(value));
    if (/^trailing_stop_step2?$/.test(field) && !isTrailingStopStep(Number(value))) {
      throw new InvalidRequestError(
        field,
        `${field} is ${value}: it must be 0 (none), 1 (dynamic), or an integer of 10 or more (fixed)`,
      );
    }
  }
}

/** @throws InvalidRequestError the list is empty, or a symbol has neither the form `<base>/<quote>` nor is the name of a product */
export function checkSymbols(symbols: readonly string[]): void {
  if (symbols.length === 0) throw new InvalidRequestError("symbols", "Name at least one symbol");
  for (const symbol of symbols) checkSymbol(symbol);
}

/** @throws InvalidRequestError it cannot be a symbol, such as EURUSD without its slash */
export function checkSymbol(symbol: string): void {
  if (isSymbol(symbol)) return;
  throw new InvalidRequestError(
    "symbol",
    `${JSON.stringify(symbol)} is not a symbol: write it as EUR/USD`,
  );
}
