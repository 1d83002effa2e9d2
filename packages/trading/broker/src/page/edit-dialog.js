import { onPress } from "./press.js";
import { deleted, orderType, rate, side } from "./words.js";

const dialog = document.querySelector("#edit");

/**
 * Edits stop, limit and trailing step of a position, and closes a part of it.
 * @param send `(path, fields)` returns whether it was done
 */
export function editPosition(row, send) {
  const { tradeId: trade_id, ratePrecision, amountK } = row;
  open(`Trade ${trade_id}`, `${side(row.isBuy)} ${amountK} ${row.currency} at ${row.open}`);
  const rates = form("Stop and limit", {
    stop: number("Stop (rate)", rate(row.stop, ratePrecision), { step: 10 ** -ratePrecision }),
    step: number("Trailing step (1: dynamic, 10 or more: pips)", row.stopMove || "", { step: 1 }),
    limit: number("Limit (rate)", rate(row.limit, ratePrecision), { step: 10 ** -ratePrecision }),
  });
  const change = (fields) =>
    send(
      "trading/change_trade_stop_limit",
      { trade_id, ...fields },
      changed(fields.is_stop ? "stop" : "limit", fields.rate, row),
    );
  rates.onSave(async () => {
    const { stop, step, limit } = rates.values();
    const isMoved = stop !== row.stop || step !== row.stopMove;
    const stopFields = { is_stop: true, rate: stop, trailing_stop_step: stop === 0 ? 0 : step };
    if (isMoved && !(await change(stopFields))) return false;
    return limit === row.limit || change({ is_stop: false, rate: limit });
  });
  const part = form("Close a part", {
    amount: number("Amount (thousands)", amountK, {
      step: 1,
      min: 1,
      max: amountK,
      required: true,
    }),
  });
  part.addTrade("Close this amount", () => {
    const { amount } = part.values();
    const terms = { order_type: "AtMarket", time_in_force: "GTC" };
    return send("trading/close_trade", { trade_id, amount, ...terms });
  });
}

/** Edits rate, amount, stop and limit of an entry order, or deletes it. */
export function editOrder(row, send) {
  const { orderId: order_id, ratePrecision } = row;
  const ownRate = row.isBuy ? row.buy : row.sell;
  open(`Order ${order_id}`, `${orderType(row.type)}: ${side(row.isBuy)} ${row.currency}`);
  const step = 10 ** -ratePrecision;
  const fields = form("Change", {
    rate: number("Rate", rate(ownRate, ratePrecision), { step, required: true }),
    amount: number("Amount (thousands)", row.amountK, { step: 1, min: 1, required: true }),
    stop: number("Stop (rate)", rate(row.stop, ratePrecision), { step }),
    limit: number("Limit (rate)", rate(row.limit, ratePrecision), { step }),
  });
  fields.onSave(async () => {
    const { rate: newRate, amount, stop, limit } = fields.values();
    const isMoved = newRate !== ownRate || amount !== row.amountK;
    const isDone =
      !isMoved ||
      (await send(
        "trading/change_order",
        { order_id, rate: newRate, amount },
        `The order is now to ${side(row.isBuy)} ${amount} ${row.currency} at ${rate(newRate, ratePrecision)}.`,
      ));
    if (!isDone || (stop === row.stop && limit === row.limit)) return isDone;
    // Only what changed: a distance that is sent back as a rate would no longer follow the order.
    const changes = {
      ...(stop === row.stop ? {} : { stop }),
      ...(limit === row.limit ? {} : { limit }),
    };
    const told = Object.entries(changes).map(([kind, value]) => changed(kind, value, row));
    return send("trading/change_order_stop_limit", { order_id, ...changes }, told.join(" "));
  });
  form("Delete the order", {}).addTrade("Delete", () =>
    send("trading/delete_order", { order_id }, deleted(row)),
  );
}

/** What a change of a stop or limit did. */
const changed = (kind, value, { ratePrecision }) =>
  value === 0 ? `The ${kind} is gone.` : `The ${kind} is now ${rate(value, ratePrecision)}.`;

function open(title, about) {
  const heading = document.createElement("h2");
  heading.id = "edit-title";
  heading.textContent = title;
  const text = document.createElement("p");
  text.textContent = about;
  const cancel = document.createElement("button");
  cancel.type = "button";
  cancel.textContent = "Cancel";
  cancel.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(heading, text, cancel);
  dialog.showModal();
}

/** A titled form; the dialog closes once one of its actions succeeds. */
function form(title, fields) {
  const element = document.createElement("form");
  const heading = document.createElement("h3");
  heading.textContent = title;
  element.append(heading, ...Object.values(fields).map((input) => input.closest("label")));
  dialog.lastChild.before(element);
  const finish = async (press) => {
    if (element.reportValidity() && (await press())) dialog.close();
  };
  const addButton = (text) => {
    const button = document.createElement("button");
    button.textContent = text;
    element.append(button);
    return button;
  };
  element.addEventListener("submit", (event) => event.preventDefault());
  return {
    values: () =>
      Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, Number(value)])),
    onSave: (press) => {
      addButton("Save").type = "submit";
      element.addEventListener("submit", () => finish(press));
    },
    addTrade: (text, press) => onPress(addButton(text), () => finish(press)),
  };
}

function number(title, value, { step, min = 0, max, required = false }) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  label.append(`${title} `, input);
  Object.assign(input, { type: "number", min, step: step < 1 ? "any" : step, required, value });
  if (max !== undefined) input.max = max;
  if (!required) input.placeholder = "none";
  return input;
}
