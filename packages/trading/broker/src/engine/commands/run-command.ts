import type { CommandData, CommandRequests, CommandType } from "../command.ts";
import type { Desk } from "../desk.ts";
import { changeOrder, changeOrderStopLimit, deleteOrder } from "./change-order.ts";
import {
  changeNetStopLimit,
  changeTradeStopLimit,
  setStopLimit,
} from "./change-trade-stop-limit.ts";
import { closeAllForSymbol, closeTrade } from "./close-trade.ts";
import { createEntryOrder } from "./create-entry-order.ts";
import { addToOco, editOco, removeFromOco, simpleOco } from "./oco.ts";
import { openTrade } from "./open-trade.ts";
import { updateSubscriptions } from "./update-subscriptions.ts";

type Commands = {
  readonly [Type in CommandType]: (desk: Desk, request: CommandRequests[Type]) => CommandData;
};

const commands: Commands = {
  open_trade: openTrade,
  close_trade: closeTrade,
  create_entry_order: createEntryOrder,
  change_order: changeOrder,
  delete_order: deleteOrder,
  simple_oco: simpleOco,
  add_to_oco: addToOco,
  remove_from_oco: removeFromOco,
  edit_oco: editOco,
  change_trade_stop_limit: changeTradeStopLimit,
  set_stop_limit: setStopLimit,
  change_net_stop_limit: changeNetStopLimit,
  change_order_stop_limit: changeOrderStopLimit,
  close_all_for_symbol: closeAllForSymbol,
  update_subscriptions: updateSubscriptions,
};

/** @throws RefusalError nothing has changed */
export function runCommand<Type extends CommandType>(
  desk: Desk,
  type: Type,
  request: CommandRequests[Type],
): CommandData {
  return commands[type](desk, request);
}
