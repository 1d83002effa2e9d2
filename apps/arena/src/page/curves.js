import { inLocalTime, timeText } from "./chart-options.js";
import { decimal } from "./format.js";
import { createChart, LineSeries } from "./lightweight-charts.js";

/** Readable on a light and on a dark ground; more traders repeat them with other lines. */
const colors = [
  "#2f80ed",
  "#d9730d",
  "#219653",
  "#c2337f",
  "#8a5cd6",
  "#0d9aa8",
  "#a67c00",
  "#d64545",
];

/** A label on the axis covers the curves. */
const maxTitle = 16;
const shortened = (name) => (name.length > maxTitle ? `${name.slice(0, maxTitle)}…` : name);

export const colorOf = (index) => colors[index % colors.length];

/** One equity curve per trader. */
export class Curves {
  #chart;
  #place;
  #values;
  #series = new Map();

  /** @param values shows what the curves are worth under the crosshair */
  constructor(place, values) {
    this.#place = place;
    this.#values = values;
    this.#chart = createChart(place, inLocalTime(place));
    this.#chart.subscribeCrosshairMove(({ time, seriesData }) => this.#read(time, seriesData));
  }

  /** @param traders `{ name, points }`, with `time` in seconds and `value`, in order of time */
  show(traders, chosen) {
    const isOther = [...this.#series.keys()].join() !== traders.map(({ name }) => name).join();
    if (isOther) {
      for (const series of this.#series.values()) this.#chart.removeSeries(series);
      this.#series.clear();
    }
    for (const [index, { name, points }] of traders.entries()) {
      const series = this.#series.get(name) ?? this.#add(name, index, traders.length);
      series.applyOptions({ lineWidth: name === chosen ? 4 : 2 });
      series.setData(points);
    }
    this.#chart.timeScale().fitContent();
    this.#place.dataset.curves = traders.filter(({ points }) => points.length > 0).length;
  }

  #add(name, index, count) {
    const series = this.#chart.addSeries(LineSeries, {
      color: colorOf(index),
      lineStyle: Math.floor(index / colors.length) % 4,
      priceLineVisible: false,
      // More names than colours would cover each other.
      ...(count > colors.length ? { lastValueVisible: false } : { title: shortened(name) }),
    });
    this.#series.set(name, series);
    return series;
  }

  #read(time, seriesData) {
    const worth = [...this.#series].flatMap(([name, series]) => {
      const value = seriesData.get(series)?.value;
      return value === undefined ? [] : [`${name} ${decimal(value, 2)}`];
    });
    this.#values.textContent =
      time === undefined || worth.length === 0 ? "" : [timeText(time), ...worth].join("  ");
  }
}
