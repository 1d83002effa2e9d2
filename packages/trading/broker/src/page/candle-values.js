import { timeText } from "./chart-options.js";

const members = { Open: "open", High: "high", Low: "low", Close: "close" };

/** Shows the values of the candle under the crosshair, which arrow keys move too; else of the newest one. */
export class CandleValues {
  #place;
  #chart;
  #series;
  /** Seconds; null: the newest candle. */
  #time = null;

  /** @param canvas takes the keys @param place shows the values */
  constructor(canvas, place, chart, series) {
    this.#place = place;
    this.#chart = chart;
    this.#series = series;
    Object.assign(canvas, { tabIndex: 0, role: "group" });
    canvas.ariaLabel = "Price history: the arrow keys read it";
    chart.subscribeCrosshairMove(({ time, point }) => {
      // The crosshair that a key has placed has no point.
      if (point === undefined && canvas.matches(":focus")) return;
      this.#time = time ?? null;
      this.show();
    });
    canvas.addEventListener("keydown", (event) => this.#move(event));
    canvas.addEventListener("blur", () => this.#leave());
  }

  show() {
    const candles = this.#series.data();
    const candle = candles.find(({ time }) => time === this.#time) ?? candles.at(-1);
    const { precision } = this.#series.options().priceFormat;
    const text =
      candle === undefined
        ? ""
        : [
            timeText(candle.time),
            ...Object.entries(members).map(
              ([name, of]) => `${name} ${candle[of].toFixed(precision)}`,
            ),
          ].join("  ");
    if (this.#place.textContent !== text) this.#place.textContent = text;
  }

  #move(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (event.key === "Escape") this.#leave();
    if (steps === undefined) return;
    event.preventDefault();
    const candles = this.#series.data();
    const last = candles.length - 1;
    const known = candles.findIndex(({ time }) => time === this.#time);
    const index = Math.max(0, Math.min(last, (known < 0 ? last : known) + steps));
    const candle = candles[index];
    if (candle === undefined) return;
    this.#time = candle.time;
    // Only what the reader asks for is read out, not every price.
    this.#place.ariaLive = "polite";
    const scale = this.#chart.timeScale();
    const { from, to } = scale.getVisibleLogicalRange();
    const shift = index < from ? index - from : index > to ? index - to : 0;
    if (shift !== 0) scale.setVisibleLogicalRange({ from: from + shift, to: to + shift });
    this.#chart.setCrosshairPosition(candle.close, candle.time, this.#series);
    this.show();
  }

  #leave() {
    this.#time = null;
    this.#place.ariaLive = "off";
    this.#chart.clearCrosshairPosition();
    this.show();
  }
}
