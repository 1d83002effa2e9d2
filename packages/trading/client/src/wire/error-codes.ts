/**
 * The codes of refused requests. 3, 18 and 19 come from the interface; the others are our own.
 */
export const errorCodes: {
  /** `parameters[0]`: the number that must divide the amount. Also the answer to an account name in `account_id`. */
  readonly amountNotDivisible: 3;
  /** The stop is on the wrong side of the price or too close to it. */
  readonly stopDistance: 18;
  /** The limit is on the wrong side of the price or too close to it. */
  readonly limitDistance: 19;
  /** A trailing step that is from 2 to 9, negative, or not an integer. */
  readonly trailingStopStep: 20;
  readonly unknownAccount: 21;
  readonly unknownSymbol: 22;
  readonly unknownOrder: 23;
  readonly unknownTrade: 24;
  /** `parameters[0]`: the symbol. */
  readonly marketClosed: 25;
  /** `parameters`: required and available margin, in the account's currency. */
  readonly notEnoughMargin: 26;
  /** The instrument, or one that converts its profit, has no price yet. */
  readonly noPrice: 27;
  /** `parameters`: the field's name and, if present, its value. */
  readonly invalidField: 28;
  /** This change is not possible for this order. */
  readonly orderNotChangeable: 29;
  /** Margin call or equity stop: the account cannot open positions until the trading day ends. */
  readonly accountRestricted: 30;
  /** The orders cannot form a group, or the group does not exist. */
  readonly ocoGroup: 31;
  /** The account has reached its limit of orders or positions; `parameters[0]` is the limit. */
  readonly tooMany: 32;
  /** Refused by an injected fault. */
  readonly injectedFault: 33;
  /** Part of the interface that this server does not offer. */
  readonly notOffered: 34;
  /** The `request_id` was settled, or belongs to an earlier request; `parameters[0]` is the id. */
  readonly requestSettled: 35;
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
  requestSettled: 35,
};

export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];
