import { editOrder, editPosition } from "./edit-dialog.js";
import { onPress } from "./press.js";
import { RowList } from "./row-list.js";
import { deleted, localTime, orderType, rate, side, signed, trailing, zone } from "./words.js";

/** Classes of columns by the room that they need: a screen, a tablet, a large phone. */
const [wide, medium, small] = ["wide", "medium", "small"];
const buttons = ["Actions", null, "buttons"];

const rateOf = (name) => (row) => rate(row[name], row.ratePrecision);

/** @param select `(symbol)` is called when the user chooses an instrument */
export function instrumentList(place, select) {
  return new RowList(place, {
    columns: [
      ["Symbol", ({ currency }) => currency],
      ["Sell", rateOf("sell"), "number"],
      ["Buy", rateOf("buy"), "number"],
      ["Spread", ({ spread }) => spread.toFixed(1), "number"],
    ],
    create: (element, symbol) => {
      element.dataset.symbol = symbol;
      element.tabIndex = 0;
      element.addEventListener("click", () => select(symbol));
      element.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        select(symbol);
      });
    },
  });
}

/** @param rowOf returns a trade's newest row @param send `(path, fields)` */
export function positionList(place, rowOf, send) {
  return new RowList(place, {
    heading: "Open positions",
    empty: "No open positions",
    isClosed: ({ isDisabled }) => isDisabled,
    columns: [
      ["Trade", ({ tradeId }) => tradeId, wide],
      ["Symbol", ({ currency }) => currency],
      ["Side", ({ isBuy }) => side(isBuy)],
      ["Amount", ({ amountK }) => String(amountK), "number"],
      ["Open", rateOf("open"), `${medium} number`],
      ["Close", rateOf("close"), `${wide} number`],
      ["Stop", rateOf("stop"), `${medium} number`],
      ["Trailing", ({ stopMove }) => trailing(stopMove), wide],
      ["Limit", rateOf("limit"), `${medium} number`],
      ["Pips", ({ visiblePL }) => signed(visiblePL, 1), `${medium} number`],
      ["Swap", ({ roll }) => signed(roll, 2), `${wide} number`],
      ["Profit", ({ grossPL }) => signed(grossPL, 2), "number"],
      buttons,
    ],
    create: (element, trade_id) => {
      addButton(element, "Edit", `Edit trade ${trade_id}`).addEventListener("click", () =>
        editPosition(rowOf(trade_id), send),
      );
      const close = addButton(element, "Close", `Close trade ${trade_id}`);
      close.dataset.trades = "";
      onPress(close, () =>
        send("trading/close_trade", { trade_id, order_type: "AtMarket", time_in_force: "GTC" }),
      );
    },
  });
}

/** @param rowOf returns an order's newest row @param tradeOf returns a trade's newest row */
export function orderList(place, rowOf, tradeOf, send) {
  return new RowList(place, {
    heading: "Orders",
    empty: "No orders",
    columns: [
      ["Order", ({ orderId }) => orderId, wide],
      ["Symbol", ({ currency }) => currency],
      ["Side", ({ isBuy }) => side(isBuy)],
      ["Type", ({ type }) => orderType(type), "words"],
      ["Amount", ({ amountK }) => String(amountK), `${small} number`],
      ["Rate", (row) => rate(row.isBuy ? row.buy : row.sell, row.ratePrecision), "number"],
      ["Stop", rateOf("stop"), `${medium} number`],
      ["Limit", rateOf("limit"), `${medium} number`],
      ["Trailing", ({ stopMove }) => trailing(stopMove), wide],
      ["Until", ({ expireDate }) => localTime(expireDate), wide],
      ["Group", ({ ocoBulkId }) => (ocoBulkId === 0 ? "" : String(ocoBulkId)), wide],
      buttons,
    ],
    create: (element, order_id) => {
      addButton(element, "Edit", `Edit order ${order_id}`).addEventListener("click", () => {
        const row = rowOf(order_id);
        const trade = tradeOf(row.tradeId);
        if (row.isEntryOrder) editOrder(row, send);
        else if (trade !== undefined) editPosition(trade, send);
      });
      const remove = addButton(element, "Delete", `Delete order ${order_id}`);
      // On a phone only the dialog deletes.
      remove.className = small;
      onPress(remove, () => send("trading/delete_order", { order_id }, deleted(rowOf(order_id))));
    },
  });
}

export function closedList(place) {
  return new RowList(place, {
    heading: `Closed trades of this trading day (${zone})`,
    empty: "No closed trades",
    columns: [
      ["Trade", ({ tradeId }) => tradeId, wide],
      ["Symbol", ({ currency }) => currency],
      ["Side", ({ isBuy }) => side(isBuy)],
      ["Amount", ({ amountK }) => String(amountK), "number"],
      ["Opened", ({ openTime }) => localTime(openTime), wide],
      ["Closed", ({ closeTime }) => localTime(closeTime), medium],
      ["Open", rateOf("open"), `${medium} number`],
      ["Close", rateOf("close"), `${medium} number`],
      ["Pips", ({ visiblePL }) => signed(visiblePL, 1), `${medium} number`],
      ["Swap", ({ roll }) => signed(roll, 2), `${wide} number`],
      ["Commission", ({ com }) => signed(com, 2), `${wide} number`],
      ["Profit", ({ grossPL }) => signed(grossPL, 2), "number"],
    ],
  });
}

function addButton(element, text, label) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.ariaLabel = label;
  element.querySelector(".buttons").append(button);
  return button;
}
