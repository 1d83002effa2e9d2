import {
  type EntryOrderType,
  entryOrderTypes,
  entryTimesInForce,
  marketOrderTypes,
  timesInForce,
} from "@proj/trading-client/wire";
import type { CommandRequests, CommandType } from "../engine/command.ts";
import type { FormReader } from "./form-reader.ts";

const stopAndLimit = ["stop", "limit", "trailing_stop_step"] as const;

const identity = (form: FormReader) => form.optionalTexts("client_tag", "request_id");

// Each field defaults to its first value.
const execution = (form: FormReader) => ({
  order_type: form.memberOr("order_type", marketOrderTypes),
  time_in_force: form.memberOr("time_in_force", timesInForce),
  ...form.optionalNumbers("rate", "at_market"),
});

const order = (form: FormReader) => ({
  account_id: form.text("account_id"),
  symbol: form.text("symbol"),
  is_buy: form.boolean("is_buy"),
  amount: form.number("amount"),
  ...form.optionalNumbers(...stopAndLimit),
  ...form.optionalBooleans("is_in_pips"),
});

const orderProtection = (form: FormReader) => {
  const given = form.optionalNumbers(...stopAndLimit);
  // A request without any of them would change nothing.
  if (Object.keys(given).length === 0) form.text("stop");
  return { ...given, ...form.optionalBooleans("is_limit_in_pips", "is_stop_in_pips") };
};

/** The stop or limit of an order as published samples send it, with the fields of `change_trade_stop_limit`. */
const stopOrLimit = (form: FormReader) => {
  const rate = form.number("rate");
  const { is_in_pips: inPips = false } = form.optionalBooleans("is_in_pips");
  return form.boolean("is_stop")
    ? { stop: rate, is_stop_in_pips: inPips, ...form.optionalNumbers("trailing_stop_step") }
    : { limit: rate, is_limit_in_pips: inPips };
};

/** A published sample sends AtMarket and means Entry. */
const entryOrderType = (form: FormReader): EntryOrderType =>
  form.optionalText("order_type") === "AtMarket"
    ? "Entry"
    : form.memberOr("order_type", entryOrderTypes);

/** Reads each command's request from a form; all readers throw RefusalError. */
const readers: {
  readonly [Type in CommandType]: (form: FormReader) => CommandRequests[Type];
} = {
  open_trade: (form) => ({ ...order(form), ...execution(form), ...identity(form) }),
  close_trade: (form) => ({
    trade_id: form.text("trade_id"),
    ...execution(form),
    ...form.optionalNumbers("amount"),
    ...identity(form),
  }),
  create_entry_order: (form) => ({
    ...order(form),
    rate: form.number("rate"),
    time_in_force: form.memberOr("time_in_force", entryTimesInForce),
    order_type: entryOrderType(form),
    ...form.optionalNumbers("range"),
    ...form.optionalTexts("expiration"),
    ...identity(form),
  }),
  change_order: (form) => ({
    order_id: form.text("order_id"),
    ...form.optionalNumbers("rate", "range", "amount", "trailing_stop_step"),
  }),
  delete_order: (form) => ({ order_id: form.text("order_id") }),
  simple_oco: (form) => ({
    ...order(form),
    rate: form.number("rate"),
    is_buy2: form.boolean("is_buy2"),
    rate2: form.number("rate2"),
    time_in_force: form.memberOr("time_in_force", entryTimesInForce),
    ...form.optionalNumbers("stop2", "limit2", "trailing_stop_step2"),
    ...form.optionalTexts("expiration"),
    ...identity(form),
  }),
  add_to_oco: (form) => ({
    orderIds: form.requiredList("orderIds"),
    ocoBulkId: form.number("ocoBulkId"),
  }),
  remove_from_oco: (form) => ({ orderIds: form.requiredList("orderIds") }),
  edit_oco: (form) => ({
    ocoBulkId: form.number("ocoBulkId"),
    addOrderIds: form.list("addOrderIds"),
    removeOrderIds: form.list("removeOrderIds"),
  }),
  change_trade_stop_limit: (form) => ({
    trade_id: form.text("trade_id"),
    is_stop: form.boolean("is_stop"),
    rate: form.number("rate"),
    ...form.optionalBooleans("is_in_pips"),
    ...form.optionalNumbers("trailing_stop_step"),
  }),
  set_stop_limit: (form) => {
    const given = form.optionalNumbers(...stopAndLimit);
    // A request without any of them would change nothing.
    if (Object.keys(given).length === 0) form.text("stop");
    return { trade_id: form.text("trade_id"), ...given, ...form.optionalBooleans("is_in_pips") };
  },
  change_net_stop_limit: (form) => ({
    account_id: form.text("account_id"),
    symbol: form.text("symbol"),
    is_buy: form.boolean("is_buy"),
    is_stop: form.boolean("is_stop"),
    rate: form.number("rate"),
    ...form.optionalNumbers("trailing_stop_step"),
  }),
  change_order_stop_limit: (form) => ({
    order_id: form.text("order_id"),
    ...(form.optionalText("is_stop") === undefined ? orderProtection(form) : stopOrLimit(form)),
  }),
  close_all_for_symbol: (form) => ({
    account_id: form.text("account_id"),
    forSymbol: form.boolean("forSymbol"),
    // Needed only to close one symbol.
    symbol: form.optionalText("symbol") ?? "",
    ...execution(form),
    ...identity(form),
  }),
  update_subscriptions: (form) => ({
    symbol: form.text("symbol"),
    visible: form.boolean("visible"),
  }),
};

/** @throws RefusalError a field is missing or malformed */
export function readCommand<Type extends CommandType>(
  type: Type,
  form: FormReader,
): CommandRequests[Type] {
  return readers[type](form);
}

/** The names of all commands, as in paths. */
export const commandTypes: readonly string[] = Object.keys(readers);

export function isCommandType(name: string): name is CommandType {
  return Object.hasOwn(readers, name);
}
