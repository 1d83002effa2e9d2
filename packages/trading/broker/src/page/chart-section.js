import { CandleChart } from "./chart.js";
import { fillsOf, linesOf } from "./chart-marks.js";
import { OrderLines } from "./order-lines.js";
import { zone } from "./words.js";

/** The chart of one symbol, with an account's fills, positions and orders. */
export class ChartSection {
  #place;
  #frame;
  #lines;
  #send;
  #chart = null;
  #connection = null;
  #symbol = "";
  #account = "";
  #followed = new Set();
  /** Trades that were closed since the first candle: those of earlier days are in no table. */
  #closed = [];

  /** @param send `(path, fields, told)` @param onFrame is called when the reader chooses other candles */
  constructor(place, send, onFrame) {
    const find = (selector) => place.querySelector(selector);
    this.#place = place;
    this.#send = send;
    this.#frame = find("#frame");
    this.#lines = new OrderLines(find(".lines"), find(".preview"));
    for (const name of CandleChart.frames) this.#frame.append(new Option(name));
    find(".zone").textContent = `Time zone: ${zone}`;
    this.#frame.addEventListener("change", onFrame);
  }

  open(connection) {
    const [canvas, values] = [".canvas", ".values"].map((name) => this.#place.querySelector(name));
    this.#chart ??= new CandleChart(canvas, values, this.#lines);
    this.#connection = connection;
  }

  followPrices(symbols) {
    for (const symbol of symbols) {
      if (this.#followed.has(symbol)) continue;
      this.#followed.add(symbol);
      this.#connection.on(
        symbol,
        (price) => symbol === this.#symbol && this.#chart.addPrice(price),
      );
    }
  }

  /** @param offer undefined: there is none */
  async show(symbol, offer, account) {
    this.#symbol = symbol;
    this.#account = account;
    this.#place.querySelector("#symbol").textContent = symbol;
    this.#closed = [];
    this.#chart.clear();
    if (offer === undefined) return;
    const frame = this.#frame.value;
    await this.#chart.show(this.#connection, offer, frame);
    this.#place.dataset.candles = this.#chart.length;
    const query = { account_id: account, from: this.#chart.begin };
    const { closed_positions } = await this.#connection.get("trading/closed_positions", query);
    const isCurrent = symbol === this.#symbol && account === this.#account;
    if (isCurrent && frame === this.#frame.value) this.#closed = closed_positions;
  }

  /**
   * @param rows `open`, `ended` and `waiting`: positions, closed positions and orders of the account, by id
   * @param about `offer` of the symbol and `currency` of the account
   */
  showMarks({ open, ended, waiting }, about, isConnected) {
    const { offer } = about;
    if (offer === undefined || this.#chart === null) return;
    const ofSymbol = (rows) => [...rows].filter(({ currency }) => currency === this.#symbol);
    const held = ofSymbol(open.values());
    const all = linesOf(held, ofSymbol(waiting.values()), about, this.#send);
    const shown = this.#lines.show(all, offer.sell, isConnected);
    const help = this.#place.querySelector("#line-help");
    help.hidden = all.every(({ change }) => change === null);
    help.querySelector(".more").textContent =
      shown < all.length ? `The ${shown} nearest of ${all.length} lines are shown.` : "";
    const closed = new Map(this.#closed.map((row) => [row.tradeId, row]));
    for (const [tradeId, row] of ended) closed.set(tradeId, row);
    this.#chart.showFills(fillsOf(held, ofSymbol(closed.values()), offer));
    this.#place.dataset.fills = this.#chart.drawnFills;
  }
}
