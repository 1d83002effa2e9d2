import { expect, test } from "vitest";
import { connectBot, marketOrder, serveBroker } from "./served-broker.ts";

/** The fields of each table's records in the interface, plus our `orderId` and `closeOrderId`. */
const fields = {
  offers: `t ratePrecision offerId rollB rollS fractionDigits pip defaultSortOrder currency
    instrumentType valueDate time sell buy sellTradable buyTradable high low volume pipFraction
    spread mmr emr lmr pipCost`,
  open_positions: `t ratePrecision tradeId accountName accountId roll com open valueDate grossPL
    close visiblePL isDisabled currency isBuy amountK currencyPoint time usedMargin stop stopMove
    limit orderId`,
  closed_positions: `t ratePrecision tradeId accountName roll com open valueDate grossPL close
    visiblePL currency isBuy amountK currencyPoint openTime closeTime orderId closeOrderId`,
  orders: `t ratePrecision orderId tradeId time accountName accountId timeInForce expireDate currency
    isBuy buy sell type status amountK currencyPoint stopMove stop stopRate limit limitRate range
    isEntryOrder isNetQuantity isLimitOrder isStopOrder isELSOrder ocoBulkId stopPegBaseType
    limitPegBaseType`,
  summary: `t ratePrecision offerId currency plSell amountKSell avgSell closeBuy closeSell avgBuy
    amountKBuy rollSum usedMargin usedMarginSell usedMarginBuy isSellDisabled isBuyDisabled plBuy
    amountK currencyPoint grossPL netPL netStop netStopMove netLimit`,
  accounts: `t ratePrecision accountId accountName balance usdMr usdMr3 mc mcDate hedging usableMargin
    usableMargin3 usableMarginPerc usableMargin3Perc equity dayPL grossPL`,
  leverage_profile: "symbol mmr emr lmr",
  properties: "name value",
};
const models = "Offer OpenPosition ClosedPosition Order Summary Account LeverageProfile Properties";

test("every table's records have exactly the interface's fields", async () => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  const closed = await bot.post("/trading/open_trade", marketOrder);
  expect(closed.body.response).toMatchObject({ executed: true });
  const all = { account_id: "1537581", forSymbol: false };
  const execution = { order_type: "AtMarket", time_in_force: "GTC" };
  await bot.post("/trading/close_all_for_symbol", { ...all, ...execution });
  await bot.post("/trading/open_trade", { ...marketOrder, stop: -50, is_in_pips: true });
  const { body } = await bot.get("/trading/get_model", { models: models.split(" ") });
  const found = Object.entries(body).flatMap(([member, rows]) =>
    Array.isArray(rows) ? [[member, Object.keys(rows[0]).sort()]] : [],
  );
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(
      Object.entries(fields).map(([member, names]) => [member, names.split(/\s+/).sort()]),
    ),
  );
});
