import { EquityChart } from "./equity-chart.js";
import { showTerms } from "./figures.js";
import { money } from "./words.js";

const percent = (share) => (share === null ? "–" : `${(share * 100).toFixed(2)} %`);
const orNone = (value, text) => (value === null ? "–" : text(value));

/** An account's report, shown on demand or saved as a file. */
export class Report {
  #place;
  #ask;
  #chart;

  /** @param ask `(query)` returns a response, or shows an error and returns null */
  constructor(place, ask) {
    this.#place = place;
    this.#ask = ask;
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
      Trades: String(summary.trades),
      "Win rate": percent(summary.win_rate),
      "Average win": orNone(summary.average_win, money),
      "Average loss": orNone(summary.average_loss, money),
      Swap: money(summary.swap),
      Commission: money(summary.commission),
    });
    const canvas = this.#place.querySelector(".canvas");
    canvas.hidden = equity.length === 0;
    this.#chart ??= new EquityChart(canvas);
    this.#chart.show(equity);
    canvas.dataset.points = equity.length;
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
