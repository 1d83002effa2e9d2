import { plainOrder } from "@proj/test-kit";
import type {
  AccountRecord,
  ClosedPositionRecord,
  OfferRecord,
  OpenPositionRecord,
  OrderRecord,
} from "@proj/trading-client/wire";

export function accountRecord(changes: Partial<AccountRecord> = {}): AccountRecord {
  return {
    t: 6,
    ratePrecision: 0,
    accountId: "1027808",
    accountName: "01027808",
    balance: 50_000,
    usdMr: 0,
    usdMr3: 0,
    mc: "N",
    mcDate: "",
    hedging: "N",
    usableMargin: 50_000,
    usableMargin3: 50_000,
    usableMarginPerc: 100,
    usableMargin3Perc: 100,
    equity: 50_000,
    dayPL: 0,
    grossPL: 0,
    ...changes,
  };
}

export function offerRecord(changes: Partial<OfferRecord> = {}): OfferRecord {
  return {
    t: 0,
    ratePrecision: 5,
    offerId: 1,
    rollB: -0.4,
    rollS: 0.1,
    fractionDigits: 5,
    pip: 0.0001,
    defaultSortOrder: 1,
    currency: "EUR/USD",
    instrumentType: 1,
    valueDate: "04272018",
    time: "04252018120716391",
    sell: 1.22011,
    buy: 1.22023,
    sellTradable: true,
    buyTradable: true,
    high: 1.22385,
    low: 1.21856,
    volume: 12,
    pipFraction: 0.1,
    spread: 1.2,
    mmr: 4,
    emr: 4,
    lmr: 2,
    pipCost: 0.1,
    ...changes,
  };
}

/** A waiting order as in the interface's documentation; `changes` can make it a market order. */
export function orderRecord(changes: Partial<OrderRecord> = {}): OrderRecord {
  return {
    t: 3,
    ratePrecision: 5,
    orderId: "390285837",
    time: "04252018120716391",
    accountName: "01027808",
    accountId: "1027808",
    timeInForce: "GTC",
    expireDate: "",
    currency: "EUR/USD",
    isBuy: true,
    buy: 1.22023,
    sell: 0,
    type: "OM",
    status: 2,
    amountK: 10,
    currencyPoint: 1,
    ...plainOrder,
    ...changes,
  };
}

export function openPositionRecord(changes: Partial<OpenPositionRecord> = {}): OpenPositionRecord {
  return {
    t: 1,
    ratePrecision: 5,
    tradeId: "170162801",
    orderId: "390285837",
    accountName: "01027808",
    accountId: "1027808",
    roll: 0,
    com: 0,
    open: 1.22023,
    valueDate: "",
    grossPL: -1.2,
    close: 1.22011,
    visiblePL: -1.2,
    isDisabled: false,
    currency: "EUR/USD",
    isBuy: true,
    amountK: 10,
    currencyPoint: 1,
    time: "04252018120716412",
    usedMargin: 40,
    stop: 0,
    stopMove: 0,
    limit: 0,
    ...changes,
  };
}

export function closedPositionRecord(
  changes: Partial<ClosedPositionRecord> = {},
): ClosedPositionRecord {
  return {
    t: 2,
    ratePrecision: 5,
    tradeId: "170162801",
    orderId: "390285837",
    accountName: "01027808",
    roll: 0,
    com: 0,
    open: 1.22023,
    valueDate: "04272018",
    grossPL: 3.4,
    close: 1.22057,
    visiblePL: 3.4,
    currency: "EUR/USD",
    isBuy: true,
    amountK: 10,
    currencyPoint: 1,
    openTime: "04252018120716412",
    closeOrderId: "",
    closeTime: "04252018121001007",
    ...changes,
  };
}
