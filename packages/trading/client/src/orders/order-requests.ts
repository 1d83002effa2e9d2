import type { Temporal } from "temporal-polyfill";
import type {
  CloseAllForSymbolRequest,
  CloseTradeRequest,
  CreateEntryOrderRequest,
  Execution,
  OcoAnswer,
  OpenTradeRequest,
  SimpleOcoRequest,
} from "../wire/index.ts";

/** @default order_type AtMarket, time_in_force GTC */
type WithDefaults<Request extends Execution> = Omit<Request, keyof Execution> & Partial<Execution>;

type WithExpiration<Request extends { readonly expiration?: string }> = Omit<
  Request,
  "expiration" | "time_in_force"
> & {
  /** @default "GTC" */
  readonly time_in_force?: CreateEntryOrderRequest["time_in_force"];
  /** `GTD`: when the order expires. */
  readonly expiration?: Temporal.Instant;
};

/** Members are named as on the wire; `order_type` defaults to AtMarket, `time_in_force` to GTC. */
export type MarketOrder = WithDefaults<OpenTradeRequest>;
export type EntryOrder = WithExpiration<CreateEntryOrderRequest>;
export type TradeClosing = WithDefaults<CloseTradeRequest>;
/** @default forSymbol true */
export type SymbolClosing = Omit<WithDefaults<CloseAllForSymbolRequest>, "forSymbol"> &
  Partial<Pick<CloseAllForSymbolRequest, "forSymbol">>;
export type OcoPair = WithExpiration<SimpleOcoRequest>;

/** The server's immediate answer to an order. */
export interface PlacedOrder {
  readonly orderId: string;
}

/** An order in a group; the first to execute cancels the others. */
export interface OcoOrder extends PlacedOrder, Pick<OcoAnswer, "ocoBulkId"> {}
