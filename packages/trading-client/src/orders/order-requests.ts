import type {
  CloseAllForSymbolRequest,
  CloseTradeRequest,
  CreateEntryOrderRequest,
  Execution,
  OcoAnswer,
  OpenTradeRequest,
  SimpleOcoRequest,
} from "@proj/trading-protocol";
import type { Temporal } from "temporal-polyfill";

/** @default order_type AtMarket, time_in_force GTC */
type WithDefaults<Request extends Execution> = Omit<Request, keyof Execution> & Partial<Execution>;

type WithExpiration<Request extends { readonly expiration?: string }> = Omit<
  Request,
  "expiration" | "time_in_force"
> & {
  /** @default "GTC" */
  readonly time_in_force?: CreateEntryOrderRequest["time_in_force"];
  /** `GTD`: when the order ends. */
  readonly expiration?: Temporal.Instant;
};

/** Members have the names of the wire; `order_type` is AtMarket and `time_in_force` GTC by default. */
export type MarketOrder = WithDefaults<OpenTradeRequest>;
export type EntryOrder = WithExpiration<CreateEntryOrderRequest>;
export type TradeClosing = WithDefaults<CloseTradeRequest>;
/** @default forSymbol true */
export type SymbolClosing = Omit<WithDefaults<CloseAllForSymbolRequest>, "forSymbol"> &
  Partial<Pick<CloseAllForSymbolRequest, "forSymbol">>;
export type OcoPair = WithExpiration<SimpleOcoRequest>;

/** What the server answers to an order at once. */
export interface PlacedOrder {
  readonly orderId: string;
}

/** An order of a group of which the first to be executed cancels the others. */
export interface OcoOrder extends PlacedOrder, Pick<OcoAnswer, "ocoBulkId"> {}
