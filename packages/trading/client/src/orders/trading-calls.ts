import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import { dataOf, idOf, objectsOf } from "../reading/answer-fields.ts";
import { isJsonObject, type JsonObject } from "../reading/json-objects.ts";
import type { Reconciler } from "../reconciling/reconciler.ts";
import { checkRequest } from "../requests/check-request.ts";
import type { KnownAccounts } from "../requests/known-accounts.ts";
import type { Extensions } from "../tables/extensions.ts";
import { snapshotCall } from "../tables/snapshot-call.ts";
import { readRows } from "../tables/table-rows.ts";
import type {
  AddToOcoRequest,
  ChangeOrderRequest,
  ChangeOrderStopLimitRequest,
  ChangeTradeStopLimitRequest,
  DeleteOrderRequest,
  EditOcoRequest,
  FormFields,
  RemoveFromOcoRequest,
  SetStopLimitRequest,
} from "../wire/index.ts";
import type {
  EntryOrder,
  MarketOrder,
  OcoOrder,
  OcoPair,
  PlacedOrder,
  SymbolClosing,
  TradeClosing,
} from "./order-requests.ts";
import { setOneByOne } from "./set-one-by-one.ts";

/** The trading requests. Each is sent at most once, unless the server turned it away unread (403, too many requests). */
export interface TradingCalls {
  openTrade(order: MarketOrder, options?: CallOptions): Promise<PlacedOrder>;
  closeTrade(closing: TradeClosing, options?: CallOptions): Promise<PlacedOrder>;
  createEntryOrder(order: EntryOrder, options?: CallOptions): Promise<PlacedOrder>;
  changeOrder(change: ChangeOrderRequest, options?: CallOptions): Promise<void>;
  deleteOrder(order: DeleteOrderRequest, options?: CallOptions): Promise<void>;
  changeTradeStopLimit(change: ChangeTradeStopLimitRequest, options?: CallOptions): Promise<void>;
  /**
   * Sets the stop and the limit of a trade; omitted ones, also the trailing step, stay as they are. A refusal leaves
   * both as they were. Where the server cannot do both at once, the first change is undone if the second is refused.
   */
  setStopLimit(change: SetStopLimitRequest, options?: CallOptions): Promise<void>;
  changeOrderStopLimit(change: ChangeOrderStopLimitRequest, options?: CallOptions): Promise<void>;
  closeAllForSymbol(closing: SymbolClosing, options?: CallOptions): Promise<readonly PlacedOrder[]>;
  simpleOco(pair: OcoPair, options?: CallOptions): Promise<readonly OcoOrder[]>;
  addToOco(orders: AddToOcoRequest, options?: CallOptions): Promise<readonly OcoOrder[]>;
  removeFromOco(orders: RemoveFromOcoRequest, options?: CallOptions): Promise<readonly OcoOrder[]>;
  editOco(orders: EditOcoRequest, options?: CallOptions): Promise<readonly OcoOrder[]>;
}

const atMarket = { order_type: "AtMarket", time_in_force: "GTC", rate: 0, at_market: 0 } as const;
const untilFilled = { time_in_force: "GTC", is_in_pips: false } as const;

export function createTradingCalls(
  caller: Caller,
  accounts: KnownAccounts,
  reconciler: Reconciler,
  extensions: Extensions,
): TradingCalls {
  const readTrade = async (trade_id: string, options: CallOptions) => {
    const snapshot = await caller.call(snapshotCall(["OpenPosition"]), options);
    const rows = readRows("OpenPosition", snapshot.get("OpenPosition") ?? []);
    return rows.find(({ tradeId }) => tradeId === trade_id);
  };
  const post = async <T>(
    path: string,
    fields: FormFields,
    read: (answer: JsonObject) => T,
    options: CallOptions = {},
  ): Promise<T> => {
    checkRequest(fields, accounts);
    const call = { method: "POST", path, fields, isIdempotent: false, read } as const;
    return caller.within(call, options, (signal) => {
      const request = (sent: FormFields) =>
        caller.call({ ...call, fields: sent }, { signal, timeoutMs: 0 });
      return reconciler.send(path, fields, signal, request, orderIdsOf);
    });
  };
  const postOrder = (path: string, fields: FormFields, options?: CallOptions) =>
    post(`/trading/${path}`, fields, readOrder, options);
  const postChange = (path: string, fields: FormFields, options?: CallOptions) =>
    post(`/trading/${path}`, fields, () => undefined, options);
  const postOco = (path: string, fields: FormFields, options?: CallOptions) =>
    post(`/trading/${path}`, fields, (answer) => dataList(answer).map(readOcoOrder), options);

  return {
    openTrade: (order, options) =>
      postOrder("open_trade", { ...atMarket, is_in_pips: false, ...order }, options),
    closeTrade: (closing, options) =>
      postOrder("close_trade", { ...atMarket, amount: 0, ...closing }, options),
    createEntryOrder: (order, options) =>
      postOrder("create_entry_order", { order_type: "Entry", ...entryFields(order) }, options),
    changeOrder: (change, options) => postChange("change_order", { ...change }, options),
    deleteOrder: (order, options) => postChange("delete_order", { ...order }, options),
    changeTradeStopLimit: (change, options) =>
      postChange("change_trade_stop_limit", { is_in_pips: false, ...change }, options),
    setStopLimit: async (change, options = {}) => {
      if (await extensions.has("stop_and_limit", options))
        return postChange("set_stop_limit", { ...change }, options);
      const set = (one: ChangeTradeStopLimitRequest) =>
        postChange("change_trade_stop_limit", { is_in_pips: false, ...one }, options);
      return setOneByOne(change, await readTrade(change.trade_id, options), set);
    },
    changeOrderStopLimit: (change, options) =>
      postChange("change_order_stop_limit", { ...change }, options),
    closeAllForSymbol: (closing, options) =>
      post(
        "/trading/close_all_for_symbol",
        { ...atMarket, forSymbol: true, ...closing },
        (answer) => dataList(answer).map(readOrderData),
        options,
      ),
    simpleOco: (pair, options) => postOco("simple_oco", entryFields(pair), options),
    addToOco: (orders, options) => postOco("add_to_oco", { ...orders }, options),
    removeFromOco: (orders, options) => postOco("remove_from_oco", { ...orders }, options),
    editOco: (orders, options) => postOco("edit_oco", { ...orders }, options),
  };
}

function entryFields({ expiration, ...order }: EntryOrder | OcoPair): FormFields {
  return {
    ...untilFilled,
    ...order,
    ...(expiration === undefined
      ? {}
      : { expiration: expiration.toString({ smallestUnit: "second" }) }),
  };
}

/** The order ids in an answer; none if it is not an answer to orders. */
function orderIdsOf(answer: unknown): readonly string[] {
  return [answer].flat().flatMap((order) => {
    const orderId = isJsonObject(order) ? order.orderId : undefined;
    return typeof orderId === "string" ? [orderId] : [];
  });
}

function readOrder(answer: JsonObject): PlacedOrder {
  return readOrderData(dataOf(answer));
}

function readOrderData(data: JsonObject): PlacedOrder {
  return { orderId: idOf(data, "orderId") };
}

function readOcoOrder(data: JsonObject): OcoOrder {
  return { ...readOrderData(data), ocoBulkId: Number(idOf(data, "ocoBulkId")) };
}

/** `data` is a list of orders, a single order, or absent. */
function dataList(answer: JsonObject): readonly JsonObject[] {
  const { data } = answer;
  if (isJsonObject(data)) return [data];
  return data === undefined || data === null ? [] : objectsOf(answer, "data");
}
