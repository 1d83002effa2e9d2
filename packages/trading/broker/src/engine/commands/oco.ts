import type {
  AddToOcoRequest,
  CreateEntryOrderRequest,
  EditOcoRequest,
  OcoAnswer,
  RemoveFromOcoRequest,
  SimpleOcoRequest,
} from "@proj/trading-client/wire";
import type { Desk } from "../desk.ts";
import { groupOrders } from "../oco-group.ts";
import type { Order } from "../order.ts";
import { placeOrder, touchOrder } from "../placing.ts";
import { RefusalError, refuse } from "../refusal.ts";
import { checkOrderCount, findOrder } from "./checks.ts";
import { readEntryOrder } from "./create-entry-order.ts";

/** Places two entry orders as a group: the first to execute cancels the other. */
export function simpleOco(desk: Desk, request: SimpleOcoRequest): readonly OcoAnswer[] {
  const { account_id, symbol, amount, time_in_force } = request;
  const both = {
    account_id,
    symbol,
    amount,
    time_in_force,
    ...(request.expiration === undefined ? {} : { expiration: request.expiration }),
    is_in_pips: request.is_in_pips ?? false,
    client_tag: request.client_tag ?? "",
    request_id: request.request_id ?? "",
  };
  const legs: readonly CreateEntryOrderRequest[] = [
    {
      ...both,
      is_buy: request.is_buy,
      rate: request.rate,
      stop: request.stop ?? 0,
      limit: request.limit ?? 0,
      trailing_stop_step: request.trailing_stop_step ?? 0,
    },
    {
      ...both,
      is_buy: request.is_buy2,
      rate: request.rate2,
      stop: request.stop2 ?? 0,
      limit: request.limit2 ?? 0,
      trailing_stop_step: request.trailing_stop_step2 ?? 0,
    },
  ];
  // Both are read before the first is placed, so that a refusal leaves nothing behind.
  const orders = legs.map((leg) => readEntryOrder(desk, leg));
  for (const { accountId } of orders) checkOrderCount(desk, desk.account(accountId), 2);
  const ocoBulkId = takeGroupId(desk);
  return orders.map((order) => answer(placeOrder(desk, { ...order, ocoBulkId })));
}

/** Adds orders to a group, or forms a new one. */
export function addToOco(desk: Desk, request: AddToOcoRequest): readonly OcoAnswer[] {
  const added = findOrders(desk, request.orderIds, "orderIds");
  if (request.ocoBulkId === 0) return join(desk, added, takeGroupId, []);
  return join(desk, added, () => request.ocoBulkId, findGroup(desk, request.ocoBulkId));
}

export function removeFromOco(desk: Desk, request: RemoveFromOcoRequest): readonly OcoAnswer[] {
  const removed = findOrders(desk, request.orderIds, "orderIds");
  for (const order of removed) checkMember(order, order.ocoBulkId !== 0);
  return removed.map((order) => move(desk, order, 0));
}

export function editOco(desk: Desk, request: EditOcoRequest): readonly OcoAnswer[] {
  const { ocoBulkId, addOrderIds, removeOrderIds } = request;
  const group = findGroup(desk, ocoBulkId);
  const added = addOrderIds.map((order_id) => findOrder(desk, order_id));
  const removed = removeOrderIds.map((order_id) => findOrder(desk, order_id));
  for (const order of removed) checkMember(order, order.ocoBulkId === ocoBulkId);
  const joined = join(desk, added, () => ocoBulkId, group);
  return [...joined, ...removed.map((order) => move(desk, order, 0))];
}

function join(
  desk: Desk,
  added: readonly Order[],
  groupId: (desk: Desk) => number,
  group: readonly Order[],
): readonly OcoAnswer[] {
  const accounts = new Set([...added, ...group].map(({ accountId }) => accountId));
  const other = added.find(({ kind }) => kind !== "entry");
  if (other !== undefined) {
    throw new RefusalError(refuse.ocoGroup(`The order ${other.orderId} is not an entry order`));
  }
  if (accounts.size > 1) {
    throw new RefusalError(refuse.ocoGroup("The orders of a group must belong to one account"));
  }
  const ocoBulkId = groupId(desk);
  return added.map((order) => move(desk, order, ocoBulkId));
}

function findOrders(desk: Desk, orderIds: readonly string[], field: string): readonly Order[] {
  if (orderIds.length === 0) throw new RefusalError(refuse.missingField(field));
  return orderIds.map((order_id) => findOrder(desk, order_id));
}

function findGroup(desk: Desk, ocoBulkId: number): readonly Order[] {
  const group = groupOrders(desk, ocoBulkId);
  if (group.length > 0) return group;
  throw new RefusalError(refuse.ocoGroup(`There is no group ${ocoBulkId}`));
}

function checkMember({ orderId }: Order, isMember: boolean): void {
  if (!isMember)
    throw new RefusalError(refuse.ocoGroup(`The order ${orderId} is not in the group`));
}

function move(desk: Desk, order: Order, ocoBulkId: number): OcoAnswer {
  desk.tables.touchGroup(order);
  order.ocoBulkId = ocoBulkId;
  desk.tables.touchGroup(order);
  touchOrder(desk, order);
  return answer(order);
}

function answer({ orderId, ocoBulkId }: Order): OcoAnswer {
  return { type: 0, orderId, ocoBulkId };
}

function takeGroupId({ book }: Desk): number {
  const { nextOcoBulkId } = book.counters;
  book.counters.nextOcoBulkId += 1;
  return nextOcoBulkId;
}
