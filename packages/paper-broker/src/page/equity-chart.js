import { inLocalTime } from "./chart.js";
import { AreaSeries, createChart } from "./lightweight-charts.js";

/** The equity curve of an account. */
export class EquityChart {
  #chart;
  #series;

  constructor(place) {
    this.#chart = createChart(place, inLocalTime(place));
    this.#series = this.#chart.addSeries(AreaSeries, { lineWidth: 2 });
  }

  show(points) {
    this.#series.setData(
      points.map(({ time, equity }) => ({ time: Date.parse(time) / 1000, value: equity })),
    );
    this.#chart.timeScale().fitContent();
  }
}
