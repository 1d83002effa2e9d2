import { CandleValues } from "./candle-values.js";
import { inLocalTime } from "./chart-options.js";
import { CandlestickSeries, createChart, createSeriesMarkers } from "./lightweight-charts.js";

/** Seconds per candle; null: the last one grows until the candles are fetched again. */
const frames = { m1: 60, m5: 300, m15: 900, m30: 1800, h1: 3600, h4: 14_400, D1: null };

/** Readable on a light and on a dark ground. */
const fillColors = { true: "#2196f3", false: "#e91e63" };
/** Lines farther from the candles than this many times their height do not squeeze them. */
const maxReach = 3;

/** Bid candles that follow every price, with an account's fills. */
export class CandleChart {
  #chart;
  #series;
  #markers;
  #values;
  #fills = [];
  /** How many fills are on the chart's candles. */
  drawnFills = 0;
  #last = null;
  #seconds = frames.m1;
  #turn = 0;
  #isWaiting = false;

  /**
   * @param values the element that shows the values of the candle under the crosshair
   * @param lines what is drawn over the chart: `place` is called with every change of the view, `rates` is kept in view
   */
  constructor(place, values, lines) {
    this.#chart = createChart(place, inLocalTime(place));
    this.#series = this.#chart.addSeries(CandlestickSeries);
    this.#markers = createSeriesMarkers(this.#series, []);
    this.#values = new CandleValues(place, values, this.#chart, this.#series);
    this.#series.attachPrimitive({
      updateAllViews: () => lines.place(this),
      autoscaleInfo: () => this.#rangeOf(lines.rates),
    });
  }

  static frames = Object.keys(frames);

  /** The newest call wins, whichever answer arrives first. */
  async show(connection, { offerId, ratePrecision, pip, pipFraction }, frame) {
    this.#turn += 1;
    const turn = this.#turn;
    const { candles } = await connection.get(`candles/${offerId}/${frame}`, { num: 300 });
    if (turn !== this.#turn) return;
    const data = candles.map(([time, open, close, high, low]) => ({
      time,
      open,
      high,
      low,
      close,
    }));
    this.#seconds = frames[frame];
    this.#last = data.at(-1) ?? null;
    const priceFormat = { type: "price", precision: ratePrecision, minMove: pip * pipFraction };
    this.#series.applyOptions({ priceFormat });
    this.#series.setData(data);
    this.#values.show();
    this.#drawFills();
    this.#chart.timeScale().scrollToRealTime();
  }

  /** @param fills `{ time, rate, isBuy, text }` with the time in seconds, in order of time */
  showFills(fills) {
    const key = (all) => all.map(({ time, text }) => `${time} ${text}`).join();
    if (key(fills) === key(this.#fills)) return;
    this.#fills = fills;
    this.#drawFills();
  }

  /** Pixels from the top; null: the rate has no place yet. */
  topOf(rate) {
    return this.#series.priceToCoordinate(rate);
  }

  rateAt(top) {
    return this.#series.coordinateToPrice(top);
  }

  get axisWidth() {
    return this.#chart.priceScale("right").width();
  }

  #drawFills() {
    const times = this.#series.data().map(({ time }) => time);
    const markers = this.#fills.flatMap(({ time, rate: price, isBuy, text }) => {
      const candle = times.findLast((begin) => begin <= time);
      if (candle === undefined) return [];
      const shape = isBuy ? "arrowUp" : "arrowDown";
      const position = isBuy ? "atPriceBottom" : "atPriceTop";
      return [{ time: candle, price, shape, position, text, color: fillColors[isBuy] }];
    });
    this.#markers.setMarkers(markers);
    this.drawnFills = markers.length;
  }

  #rangeOf(rates) {
    const data = this.#series.data();
    if (data.length === 0 || rates.length === 0) return null;
    const [low, high] = [
      Math.min(...data.map(({ low }) => low)),
      Math.max(...data.map(({ high }) => high)),
    ];
    const reach = maxReach * (high - low);
    const near = rates.filter((rate) => rate > low - reach && rate < high + reach);
    if (near.length === 0) return null;
    return { priceRange: { minValue: Math.min(...near), maxValue: Math.max(...near) } };
  }

  clear() {
    this.#turn += 1;
    this.#last = null;
    this.#series.setData([]);
    this.#values.show();
  }

  addPrice({ Updated, Rates: [bid] }) {
    const last = this.#last;
    if (last === null) return;
    const second = Math.floor(Updated / 1000);
    const time = this.#seconds === null ? last.time : second - (second % this.#seconds);
    // A price from before the candles were fetched.
    if (time < last.time) return;
    if (time > last.time) {
      this.#draw();
      this.#last = { time, open: bid, high: bid, low: bid, close: bid };
    } else {
      const [high, low] = [Math.max(last.high, bid), Math.min(last.low, bid)];
      this.#last = { ...last, high, low, close: bid };
    }
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    // At most once per frame, however many prices arrive.
    requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#isWaiting = false;
    if (this.#last === null) return;
    this.#series.update(this.#last);
    this.#values.show();
  }

  /** Seconds; of the first candle. */
  get begin() {
    return this.#series.data()[0]?.time ?? 0;
  }

  /** Number of candles. */
  get length() {
    return this.#series.data().length;
  }
}
