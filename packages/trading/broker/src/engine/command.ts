import type {
  AddToOcoRequest,
  ChangeNetStopLimitRequest,
  ChangeOrderRequest,
  ChangeOrderStopLimitRequest,
  ChangeTradeStopLimitRequest,
  CloseAllForSymbolRequest,
  CloseTradeRequest,
  CreateEntryOrderRequest,
  DeleteOrderRequest,
  EditOcoRequest,
  OpenTradeRequest,
  OrderAnswer,
  Refusal,
  RemoveFromOcoRequest,
  SetStopLimitRequest,
  SimpleOcoRequest,
  UpdateSubscriptionsRequest,
} from "@proj/trading-client/wire";

/** The engine's commands, by the last part of their request's path. */
export interface CommandRequests {
  readonly open_trade: OpenTradeRequest;
  readonly close_trade: CloseTradeRequest;
  readonly create_entry_order: CreateEntryOrderRequest;
  readonly change_order: ChangeOrderRequest;
  readonly delete_order: DeleteOrderRequest;
  readonly simple_oco: SimpleOcoRequest;
  readonly add_to_oco: AddToOcoRequest;
  readonly remove_from_oco: RemoveFromOcoRequest;
  readonly edit_oco: EditOcoRequest;
  readonly change_trade_stop_limit: ChangeTradeStopLimitRequest;
  readonly set_stop_limit: SetStopLimitRequest;
  readonly change_net_stop_limit: ChangeNetStopLimitRequest;
  readonly change_order_stop_limit: ChangeOrderStopLimitRequest;
  readonly close_all_for_symbol: CloseAllForSymbolRequest;
  readonly update_subscriptions: UpdateSubscriptionsRequest;
}

export type CommandType = keyof CommandRequests;

/**
 * `data` in the answer: an OrderAnswer for `open_trade`, `close_trade` and `create_entry_order`, a
 * list of them for `close_all_for_symbol`, a list of OcoAnswer for the OCO commands, else null.
 */
export type CommandData = OrderAnswer | readonly OrderAnswer[] | null;

export type CommandResult =
  | { readonly executed: true; readonly data: CommandData }
  | { readonly executed: false; readonly refusal: Refusal };
