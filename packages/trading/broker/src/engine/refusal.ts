import { errorCodes, type Refusal } from "@proj/trading-client/wire";

/** A refused request. Rules throw it before they change anything. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The divisor in the interface's answer to an account name, for any instrument. */
const accountNameDivisor = "10";

function refusal(code: number, message: string, ...parameters: (string | number)[]): Refusal {
  return { code, message, parameters };
}

function money(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** All refusals. */
export const refuse = {
  amountNotDivisible: (baseUnit: number): Refusal =>
    refusal(
      errorCodes.amountNotDivisible,
      `Amount must be divisible by ${baseUnit}`,
      String(baseUnit),
    ),

  /** The interface gives this answer because it checks the amount before the account id. */
  accountName: (accountId: string): Refusal =>
    refusal(
      errorCodes.amountNotDivisible,
      `Amount must be divisible by ${accountNameDivisor} (account_id holds an account name; the id is ${accountId})`,
      accountNameDivisor,
    ),

  stopDistance: (rate: number): Refusal =>
    refusal(
      errorCodes.stopDistance,
      `The stop ${rate} is on the wrong side of the price or too close to it`,
      String(rate),
    ),

  limitDistance: (rate: number): Refusal =>
    refusal(
      errorCodes.limitDistance,
      `The limit ${rate} is on the wrong side of the price or too close to it`,
      String(rate),
    ),

  trailingStopStep: (step: number): Refusal =>
    refusal(
      errorCodes.trailingStopStep,
      `trailing_stop_step must be 0 (none), 1 (dynamic), or 10 and more (pips), but is ${step}`,
      String(step),
    ),

  unknownAccount: (accountId: string): Refusal =>
    refusal(errorCodes.unknownAccount, `There is no account ${accountId}`, accountId),

  unknownSymbol: (symbol: string): Refusal =>
    refusal(errorCodes.unknownSymbol, `There is no instrument ${symbol}`, symbol),

  unknownOrder: (orderId: string): Refusal =>
    refusal(
      errorCodes.unknownOrder,
      `There is no order ${orderId}: it never existed, or was executed or canceled`,
      orderId,
    ),

  unknownTrade: (tradeId: string): Refusal =>
    refusal(errorCodes.unknownTrade, `There is no open position ${tradeId}`, tradeId),

  nothingToClose: (accountId: string): Refusal =>
    refusal(errorCodes.unknownTrade, `The account ${accountId} has no such positions`, accountId),

  marketClosed: (symbol: string): Refusal =>
    refusal(errorCodes.marketClosed, `The market for ${symbol} is closed`, symbol),

  pricesEnded: (symbol: string): Refusal =>
    refusal(errorCodes.marketClosed, `The prices of ${symbol} have ended`, symbol),

  /** Both in cents. */
  notEnoughMargin: (needed: number, free: number): Refusal =>
    refusal(
      errorCodes.notEnoughMargin,
      `This needs a margin of ${money(needed)}, but only ${money(free)} is available`,
      money(needed),
      money(free),
    ),

  noPrice: (symbol: string): Refusal =>
    refusal(errorCodes.noPrice, `There is no price for ${symbol} yet`, symbol),

  /** @param expected the rest of a sentence after the field's name, such as "must be a number" */
  invalidField: (name: string, value: string, expected = "has an invalid value"): Refusal =>
    refusal(errorCodes.invalidField, `${name} ${expected}: ${JSON.stringify(value)}`, name, value),

  missingField: (name: string): Refusal =>
    refusal(errorCodes.invalidField, `${name} is missing`, name),

  orderNotChangeable: (orderId: number, what: string): Refusal =>
    refusal(errorCodes.orderNotChangeable, `The order ${orderId} ${what}`, String(orderId)),

  accountRestricted: (accountId: string, state: string): Refusal =>
    refusal(
      errorCodes.accountRestricted,
      `The account ${accountId} cannot open positions now (${state})`,
      accountId,
      state,
    ),

  ocoGroup: (reason: string): Refusal => refusal(errorCodes.ocoGroup, reason),

  tooMany: (what: "orders" | "positions" | "advances", most: number): Refusal =>
    refusal(errorCodes.tooMany, `There can be at most ${most} ${what} at once`, String(most)),

  /** @param what the subject of the sentence */
  notOffered: (what: string): Refusal =>
    refusal(errorCodes.notOffered, `${what} are not available on this server`),

  requestSettled: (requestId: string): Refusal =>
    refusal(
      errorCodes.requestSettled,
      `The request ${requestId} is settled: an order needs an id of its own`,
      requestId,
    ),

  injectedFault: (): Refusal => refusal(errorCodes.injectedFault, "Refused by an injected fault"),
};
