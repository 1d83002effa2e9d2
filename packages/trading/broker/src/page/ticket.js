import { onPress } from "./press.js";
import { rate as rateText, restriction } from "./words.js";

/** The form that places orders for the chosen account and symbol. */
export class Ticket {
  #form;
  #buttons;

  /** @param place `(path, fields)` places an order */
  constructor(form, place) {
    this.#form = form;
    this.#buttons = [...form.querySelectorAll(".sides button")];
    // Enter in a field places no order: only the two buttons trade.
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => this.#showFields());
    this.#showFields();
    for (const button of this.#buttons) {
      onPress(button, async () => {
        if (form.reportValidity()) await place(...this.#order(button.value === "buy"));
      });
    }
  }

  /**
   * Shows the prices on the buttons, or why they are disabled.
   * @param closable `(isBuy)` returns the amount of trades that an order of this side closes before it opens any
   */
  show({ offer, account, closable, isConnected }) {
    const isMarket = this.#form.elements.type.value === "market";
    const isClosed = offer !== undefined && !(offer.buyTradable && offer.sellTradable);
    // A waiting order may be placed, as the restriction may have ended when its rate is reached.
    const restricted = isMarket ? restriction(account?.mc) : "";
    const amount = Number(this.#form.elements.amount.value);
    let why = "";
    // Entry orders can be placed while the market is closed.
    if (isClosed && isMarket) why = `The market for ${offer.currency} is closed.`;
    if (!isConnected) why = "Not connected to the server: no orders can be placed.";
    for (const button of this.#buttons) {
      const isBuy = button.value === "buy";
      const price = isBuy ? offer?.buy : offer?.sell;
      const mayNotOpen = restricted !== "" && amount > closable(isBuy);
      setText(button.lastElementChild, price ? rateText(price, offer.ratePrecision) : "");
      button.disabled = why !== "" || mayNotOpen || offer === undefined || account === undefined;
    }
    setText(this.#form.querySelector(".why"), why || restricted);
  }

  #showFields() {
    const { type, stop, trailing, until, step, expiration } = this.#form.elements;
    for (const label of this.#form.querySelectorAll("[data-for]"))
      setShown(label, label.dataset.for.split(" ").includes(type.value));
    setShown(step.closest("label"), trailing.value === "fixed");
    // Without a stop, only the rate of an entry order can trail.
    stop.required = trailing.value !== "0" && type.value === "market";
    setShown(expiration.closest("label"), type.value !== "market" && until.value === "GTD");
  }

  #order(is_buy) {
    const { type, amount, rate, rate2, second, until, expiration } = this.#form.elements;
    const isMarket = type.value === "market";
    const fields = {
      ...{ is_buy, amount: amount.value, is_in_pips: true, rate: isMarket ? 0 : rate.value },
      ...{ time_in_force: isMarket ? "GTC" : until.value },
      ...this.#protection(is_buy, ""),
    };
    if (isMarket) return ["trading/open_trade", { ...fields, order_type: "AtMarket" }];
    if (until.value === "GTD") fields.expiration = new Date(expiration.value).toISOString();
    if (type.value === "entry")
      return ["trading/create_entry_order", { ...fields, order_type: "Entry" }];
    const is_buy2 = second.value === "same" ? is_buy : !is_buy;
    const other = { is_buy2, rate2: rate2.value, ...this.#protection(is_buy2, "2") };
    return ["trading/simple_oco", { ...fields, ...other }];
  }

  /** A bought position's stop is below its entry, its limit above. */
  #protection(is_buy, suffix) {
    const { stop, limit, trailing, step } = this.#form.elements;
    const sign = is_buy ? 1 : -1;
    const trailingStep = trailing.value === "fixed" ? step.value : trailing.value;
    return {
      [`stop${suffix}`]: -sign * Number(stop.value),
      [`limit${suffix}`]: sign * Number(limit.value),
      [`trailing_stop_step${suffix}`]: trailingStep,
    };
  }
}

/** A hidden field must not be required. */
function setShown(label, isShown) {
  label.hidden = !isShown;
  label.control.disabled = !isShown;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
