import { EquityChart } from "./equity-chart.js";
import { showTerms } from "./figures.js";
import { money } from "./words.js";

const percent = (share) => (share === null ? "–" : `${(share * 100).toFixed(2)} %`);
const seconds = (time) => Date.parse(time) / 1000;
const orNone = (value, text) => (value === null ? "–" : text(value));

/** An account's report, shown on demand or saved as a file. */
export class Report {
  #place;
  #ask;
  #now;
  #chart;

  /**
   * @param ask `(query)` returns a response, or shows an error and returns null
   * @param now returns the market's time in milliseconds
   */
  constructor(place, ask, now) {
    this.#place = place;
    this.#ask = ask;
    this.#now = now;
    for (const button of place.querySelectorAll("button"))
      button.addEventListener("click", async () => {
        button.disabled = true;
        const { part, format } = button.dataset;
        await (format === undefined ? this.#show() : this.#save(part, format));
        button.disabled = false;
      });
  }

  async #show() {
    const response = await this.#ask({});
    if (response === null) return;
    const { summary, equity } = await response.json();
    const figures = this.#place.querySelector(".figures");
    figures.hidden = false;
    showTerms(figures, {
      "Net profit": money(summary.net_profit),
      Return: percent(summary.return),
      "Max drawdown": `${money(summary.max_drawdown)} (${percent(summary.max_drawdown_share)})`,
      "Profit factor": orNone(summary.profit_factor, (factor) => factor.toFixed(2)),
      Currency: summary.currency,
      Trades: String(summary.trades),
      "Win rate": percent(summary.win_rate),
      "Average win": orNone(summary.average_win, money),
      "Average loss": orNone(summary.average_loss, money),
      Expectancy: orNone(summary.expectancy, money),
      Sharpe: orNone(summary.sharpe, (ratio) => ratio.toFixed(2)),
      Sortino: orNone(summary.sortino, (ratio) => ratio.toFixed(2)),
      Exposure: percent(summary.exposure),
      Swap: money(summary.swap),
      Commission: money(summary.commission),
    });
    const canvas = this.#place.querySelector(".canvas");
    canvas.hidden = equity.length === 0;
    const points = equity.map(({ time, equity: value }) => ({ time: seconds(time), value }));
    // The stored points are minutes apart; the curve ends with what the account is worth now.
    const now = Math.floor(this.#now() / 1000);
    if (now > (points.at(-1)?.time ?? 0)) points.push({ time: now, value: summary.equity });
    this.#chart ??= new EquityChart(canvas);
    this.#chart.show(points);
    canvas.dataset.points = points.length;
  }

  async #save(part, format) {
    const response = await this.#ask({ format, ...(part === "" ? {} : { part }) });
    if (response === null) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = `${part === "" ? "report" : part}.${format}`;
    link.click();
    URL.revokeObjectURL(link.href);
  }
}
