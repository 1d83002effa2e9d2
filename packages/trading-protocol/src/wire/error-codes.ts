/**
 * The codes with which the server refuses a request. 3, 18 and 19 are those of the interface; the
 * others are our own.
 */
export const errorCodes: {
  /** `parameters[0]`: the number that the amount must be divisible by. Also what an account name sent as `account_id` gets. */
  readonly amountNotDivisible: 3;
  /** The stop is on the wrong side of the price, or too near to it. */
  readonly stopDistance: 18;
  /** The limit is on the wrong side of the price, or too near to it. */
  readonly limitDistance: 19;
  /** A trailing step of 2 to 9, negative, or no integer. */
  readonly trailingStopStep: 20;
  readonly unknownAccount: 21;
  readonly unknownSymbol: 22;
  readonly unknownOrder: 23;
  readonly unknownTrade: 24;
  /** `parameters[0]`: the symbol. */
  readonly marketClosed: 25;
  /** `parameters`: what it takes and what there is, in the account's currency. */
  readonly notEnoughMargin: 26;
  /** The instrument, or the one that converts its profit, has no price yet. */
  readonly noPrice: 27;
  /** `parameters`: the field's name, and its value where there is one. */
  readonly invalidField: 28;
  /** The order is of a kind that cannot be changed so. */
  readonly orderNotChangeable: 29;
  /** Margin call or equity stop: the account cannot open positions until the trading day ends. */
  readonly accountRestricted: 30;
  /** The orders cannot form a group, or there is no such group. */
  readonly ocoGroup: 31;
  /** The account has as many orders or positions as it may have; `parameters[0]` says how many. */
  readonly tooMany: 32;
  /** Refused by a fault that was asked for. */
  readonly injectedFault: 33;
  /** The interface has it, this server does not. */
  readonly notOffered: 34;
} = {
  amountNotDivisible: 3,
  stopDistance: 18,
  limitDistance: 19,
  trailingStopStep: 20,
  unknownAccount: 21,
  unknownSymbol: 22,
  unknownOrder: 23,
  unknownTrade: 24,
  marketClosed: 25,
  notEnoughMargin: 26,
  noPrice: 27,
  invalidField: 28,
  orderNotChangeable: 29,
  accountRestricted: 30,
  ocoGroup: 31,
  tooMany: 32,
  injectedFault: 33,
  notOffered: 34,
};

export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];
