import { outcomeText } from "./outcome.js";

const said = document.querySelector("#said");

/** Sends requests and says what became of them, above everything else on the page. */
export class Sender {
  #connection;
  #outcomes;
  #about;

  /** @param about `(row)` returns the offer of an order's symbol and its account's currency */
  constructor(connection, outcomes, about) {
    this.#connection = connection;
    this.#outcomes = outcomes;
    this.#about = about;
  }

  /**
   * @param told what to say once it is done, for requests that place no order
   * @returns whether it was done
   */
  async send(path, fields, told = "Done.") {
    say("…");
    try {
      const { data } = await this.#connection().post(path, fields);
      const orders = [data ?? []].flat().map(({ orderId }) => String(orderId));
      say(orders.length === 0 ? told : "Sent, and waiting to be filled …");
      if (orders.length > 0)
        // The caller goes on: a fill may take its time.
        Promise.all(orders.map((orderId) => this.#outcomeOf(orderId)))
          .then((texts) => say(texts.join(" ")))
          .catch((error) => say(error.message));
      return true;
    } catch (error) {
      // Without an answer the outcome is unknown: the user must look before pressing again.
      const isUnknown = error.cause !== undefined;
      say(`${error.message}${isUnknown ? " It may have been done: check the tables." : ""}`);
      return false;
    }
  }

  async #outcomeOf(order_id) {
    const row = await this.#outcomes.settled(order_id);
    // Its pushes were lost with a connection.
    if (row?.currency === undefined) return `Order ${order_id} was placed: see the tables.`;
    const query = { account_id: row.accountId, order_id, type: "trade_closed" };
    const closed =
      row.filledK === undefined
        ? []
        : (await this.#connection().get("trading/transactions", query)).transactions;
    const { offer, currency } = this.#about(row);
    return outcomeText(row, closed, offer, currency);
  }
}

/** A modal dialog covers everything outside it. */
export function say(text) {
  (document.querySelector("dialog[open]") ?? document.body).append(said);
  said.textContent = text;
}
