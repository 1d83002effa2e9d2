import { inLocalTime } from "./chart-options.js";
import { AreaSeries, createChart } from "./lightweight-charts.js";

/** The equity curve of an account. */
export class EquityChart {
  #chart;
  #series;

  constructor(place) {
    this.#chart = createChart(place, inLocalTime(place));
    this.#series = this.#chart.addSeries(AreaSeries, { lineWidth: 2 });
  }

  /** @param points with `time` in seconds and `value`, in order of time */
  show(points) {
    this.#series.setData(points);
    this.#chart.timeScale().fitContent();
  }
}
