import { CandlestickSeries, createChart } from "./lightweight-charts.js";

/** Seconds per candle; null: the last one grows until the candles are fetched again. */
const frames = { m1: 60, m5: 300, m15: 900, m30: 1800, h1: 3600, h4: 14_400, D1: null };

const whole = new Intl.DateTimeFormat(undefined, {
  ...{ year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" },
});
/** Formats of marks on the time axis, by kind: year, month, day, time. */
const marks = [
  new Intl.DateTimeFormat(undefined, { year: "numeric" }),
  new Intl.DateTimeFormat(undefined, { month: "short" }),
  new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" }),
];
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** Formats in the reader's time zone; the chart's own marks are in UTC. */
const markTime = (seconds, kind) => (marks[kind] ?? clock).format(seconds * 1000);

/** Options for a chart that fills an element, in its colours and the reader's time zone. */
export function inLocalTime(place) {
  const { color } = getComputedStyle(place);
  const line = "rgba(128, 128, 128, 0.2)";
  return {
    autoSize: true,
    layout: { background: { color: "transparent" }, textColor: color },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
    timeScale: { timeVisible: true, tickMarkFormatter: markTime },
    localization: { timeFormatter: (seconds) => whole.format(seconds * 1000) },
  };
}

/** Bid candles that follow every price. */
export class CandleChart {
  #chart;
  #series;
  #last = null;
  #seconds = frames.m1;
  #turn = 0;
  #isWaiting = false;

  constructor(place) {
    this.#chart = createChart(place, inLocalTime(place));
    this.#series = this.#chart.addSeries(CandlestickSeries);
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
    this.#chart.timeScale().scrollToRealTime();
  }

  clear() {
    this.#turn += 1;
    this.#last = null;
    this.#series.setData([]);
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
    if (this.#last !== null) this.#series.update(this.#last);
  }

  /** Number of candles. */
  get length() {
    return this.#series.data().length;
  }
}
